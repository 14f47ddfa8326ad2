package io.belfry.simulation;

import io.belfry.core.history.RetainSettings;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.loop.Loop;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.core.worker.Launcher.Ending;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Rate;
import io.belfry.model.job.Work;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * More is wanted than rates allow, and leaders last for less than a window: each must find out what those before it gave out, or it would
 * give out too much, or nothing ever.
 */
final class RateScenario implements LongConsumer {
  private static final Duration STORM = Duration.ofSeconds(200);
  /** Not enough for what is wanted, if nothing is given out while leaders change. */
  private static final Duration END = Duration.ofSeconds(340);

  private static final Duration RUSH = Duration.ofSeconds(60);
  private static final Duration ROUND = Duration.ofSeconds(5);
  private static final List<String> KEYS = List.of("a", "b", "c");
  private static final Rate RATE = new Rate(6, Rate.Unit.MINUTE);
  private static final Rate SHORT = new Rate(2, Rate.Unit.SECOND);

  /** Folds often, so that there is much to be read in segments. */
  private static final LeaderSettings SETTINGS = folding(RetainSettings.DEFAULT);

  private static final Script SOME_FAIL = (task, random) -> new Script.Body(
      Duration.ofMillis(1 + random.nextInt(random.nextInt(4) == 0 ? 8_000 : 200)),
      random.nextInt(5) == 0
          ? new Ending.Failed(Failure.error("on purpose"))
          : new Ending.Returned(Result.OK),
      Duration.ofMillis(1));

  @Override
  public void accept(long seed) {
    var stage = new Stage(seed, "ScenariosTest#a_rate_holds_whoever_leads");
    var unusedRates = new RateLaw(stage.simulation);
    List<Cluster.Seat> schedulers = List.of(scheduler(stage, "s1"), scheduler(stage, "s2"));
    stage.worker("w1", 20, SOME_FAIL);
    Cluster.Seat mortal = stage.worker("w2", 20, SOME_FAIL);
    stage.simulation.cluster().add("c", process -> client(stage, process));
    long at = 8_000_000_000L;
    while (at < STORM.toNanos()) {
      boolean paused = stage.dice.nextBoolean();
      stage.world.at(at, () -> depose(stage, schedulers, paused));
      if (stage.dice.nextInt(4) == 0) {
        stage.world.at(at, () -> crash(stage, mortal));
      }
      at += 6_000_000_000L + stage.dice.nextLong(30_000_000_000L);
    }
    stage.runUntil(END);
  }

  private static LeaderSettings folding(RetainSettings usual) {
    LeaderSettings settings = LeaderSettings.DEFAULT;
    return new LeaderSettings(
        settings.workerLease(),
        settings.grace(),
        settings.releaseRate(),
        settings.overdue(),
        settings.limitKey(),
        new RetainSettings(
            usual.tasks(),
            usual.rollups(),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            usual.foldRate(),
            usual.trimEvery()));
  }

  private static Cluster.Seat scheduler(Stage stage, String name) {
    return stage
        .simulation
        .cluster()
        .add(name, process -> stage.parts.scheduler(process, SETTINGS));
  }

  private static void depose(Stage stage, List<Cluster.Seat> schedulers, boolean paused) {
    for (Cluster.Seat seat : schedulers) {
      if (seat.node().filter(node -> node.id().equals(stage.leader())).isPresent()) {
        if (paused) {
          seat.pause(Duration.ofSeconds(5));
        } else {
          crash(stage, seat);
        }
      }
    }
  }

  private static void crash(Stage stage, Cluster.Seat seat) {
    seat.crash();
    stage.world.in(Duration.ofSeconds(1), seat::start);
  }

  private static void client(Stage stage, Cluster.Booted process) {
    Loop loop = process.node().loop();
    var submitter =
        new Submitter(loop, process.store(), process.node().id(), Duration.ofDays(7), 1000);
    round(stage, process.node(), submitter);
  }

  private static void round(Stage stage, SimNode node, Submitter submitter) {
    if (stage.world.now() < RUSH.toNanos()) {
      for (String key : KEYS) {
        submit(node, submitter, RATE, key);
        submit(node, submitter, SHORT, key + "-short");
      }
      var unused = node.loop().after(ROUND, () -> round(stage, node, submitter));
    }
  }

  private static void submit(SimNode node, Submitter submitter, Rate rate, String key) {
    Instant now = SimTime.BEGINNING.plusNanos(node.world().now());
    Work work = Work.of("one-off", ExecutorSpec.local("noop"))
        .withRetry(RetryPolicy.DEFAULT.withDelay(Duration.ofSeconds(1)))
        .withLimit(Limit.rate(rate).by(key));
    Task task = Task.pending(TaskId.oneOff(now, node.random()), work, Priority.NORMAL, now, now);
    node.loop()
        .onResult(
            submitter.submit(new Submission(task, Optional.empty())), receipt -> {}, failure -> {});
  }
}
