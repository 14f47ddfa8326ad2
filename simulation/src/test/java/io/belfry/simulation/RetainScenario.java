package io.belfry.simulation;

import io.belfry.core.history.History;
import io.belfry.core.history.Query;
import io.belfry.core.history.RetainSettings;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.loop.Loop;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.core.worker.Launcher.Ending;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Result;
import io.belfry.model.task.StateName;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Everything runs for a minute or two now and then, with hours between in which all processes are down: so small segments of one time are put
 * together in the next, and forgotten in later ones, under listings that are under way and leaders that do not last. The same ids are
 * submitted each time.
 */
final class RetainScenario implements LongConsumer {
  private static final Duration KEPT = Duration.ofHours(5);
  private static final List<Duration> SHIFTS =
      List.of(Duration.ZERO, Duration.ofMinutes(72), Duration.ofMinutes(190), Duration.ofHours(9));
  private static final Duration BUSY = Duration.ofSeconds(60);
  private static final Duration SHIFT = Duration.ofSeconds(110);
  private static final Duration LED_WITHIN = Duration.ofSeconds(20);
  private static final JobId TICK = new JobId("tick");
  private static final int OWN_IDS = 15;
  private static final int READERS = 4;
  private static final int SLOW_MILLIS_MAX = 400;

  /** Folds, trims and puts together often. */
  private static final LeaderSettings SETTINGS = settings();

  private static final Script QUICK = (task, random) -> new Script.Body(
      Duration.ofMillis(1 + random.nextInt(200)),
      new Ending.Returned(Result.OK),
      Duration.ofMillis(1));

  private final Query finished = Query.ALL.withState(StateName.SUCCEEDED);

  private static LeaderSettings settings() {
    LeaderSettings usual = LeaderSettings.DEFAULT;
    return new LeaderSettings(
        usual.workerLease(),
        usual.grace(),
        usual.releaseRate(),
        usual.overdue(),
        usual.limitKey(),
        new RetainSettings(
            KEPT,
            Duration.ofDays(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            100_000,
            Duration.ofSeconds(1)));
  }

  @Override
  public void accept(long seed) {
    var stage = new Stage(seed, "ScenariosTest#what_is_kept_is_kept_once_and_never_made_again");
    var law = new RetainLaw(stage.simulation, KEPT);
    Cluster cluster = stage.simulation.cluster();
    List<Cluster.Seat> schedulers = List.of(
        cluster.add("s1", process -> stage.parts.scheduler(process, SETTINGS)),
        cluster.add("s2", process -> stage.parts.scheduler(process, SETTINGS)));
    Cluster.Seat worker = stage.worker("w", 20, QUICK);
    Cluster.Seat client = cluster.add("c", process -> client(stage, process, law));
    List<Cluster.Seat> all = List.of(schedulers.get(0), schedulers.get(1), worker, client);
    // So that what a page is made of often changes between its first read and its last.
    Link way = client.link(stage.simulation.engine());
    way.slow(Duration.ofMillis(stage.dice.nextInt(SLOW_MILLIS_MAX)));
    for (Duration begin : SHIFTS) {
      stage.world.at(begin.toNanos(), () -> List.of(worker, client).forEach(Cluster.Seat::start));
      // Later, so that readers are anywhere when something is put together.
      long led = begin.toNanos() + stage.dice.nextLong(LED_WITHIN.toNanos());
      stage.world.at(led, () -> schedulers.forEach(Cluster.Seat::start));
      for (int i = stage.dice.nextInt(3); i > 0; i--) {
        long at = begin.toNanos() + stage.dice.nextLong(BUSY.toNanos());
        stage.world.at(
            at,
            () -> schedulers.stream()
                .filter(seat ->
                    seat.node().filter(node -> node.id().equals(stage.leader())).isPresent())
                .forEach(seat -> trouble(stage, seat)));
      }
      stage.world.at(begin.plus(SHIFT).toNanos(), () -> {
        law.check();
        all.forEach(Cluster.Seat::crash);
      });
    }
    stage.world.runUntil(SHIFTS.getLast().plus(SHIFT).minusMillis(1));
    stage.simulation.laws().checkEnd();
    law.check();
    law.checkWork();
  }

  private static void trouble(Stage stage, Cluster.Seat seat) {
    if (stage.dice.nextBoolean()) {
      seat.pause(Duration.ofSeconds(4));
    } else {
      seat.crash();
      stage.world.in(Duration.ofSeconds(1), seat::start);
    }
  }

  private void client(Stage stage, Cluster.Booted process, RetainLaw law) {
    SimNode node = process.node();
    Loop loop = node.loop();
    long until = stage.world.now() + BUSY.toNanos();
    var jobs = new Jobs(loop, process.store());
    loop.onResult(
        jobs.put(Job.named(TICK.value())
            .local("noop")
            .every(Duration.ofSeconds(2))
            .retain(KEPT)
            .build()),
        saved -> {},
        failure -> {});
    var unused =
        loop.after(BUSY, () -> loop.onResult(jobs.enable(TICK, false), done -> {}, failure -> {}));
    var submitter = new Submitter(loop, process.store(), node.id(), Duration.ofDays(7), 1000);
    submit(stage, node, submitter, until);
    var history = new History(process.store(), Runnable::run);
    for (int i = 0; i < READERS; i++) {
      list(stage, node, history, law.new Walk(), law, Optional.empty());
    }
  }

  private void submit(Stage stage, SimNode node, Submitter submitter, long until) {
    if (stage.world.now() >= until) {
      return;
    }
    Instant now = SimTime.BEGINNING.plusNanos(stage.world.now());
    Work work = Work.of("one-off", ExecutorSpec.local("noop"));
    boolean own = node.random().nextInt(3) == 0;
    TaskId id = own
        ? TaskId.parse("own-" + node.random().nextInt(OWN_IDS))
        : TaskId.oneOff(now, node.random());
    Task task = Task.pending(id, work, Priority.NORMAL, now, now);
    node.loop()
        .onResult(
            submitter.submit(own ? Submission.named(task) : Submission.of(task)),
            receipt -> {},
            failure -> {});
    var unused = node.loop()
        .after(
            Duration.ofMillis(node.random().nextInt(600)),
            () -> submit(stage, node, submitter, until));
  }

  private void list(
      Stage stage,
      SimNode node,
      History history,
      RetainLaw.Walk walk,
      RetainLaw law,
      Optional<String> cursor) {
    int limit = 1 + node.random().nextInt(node.random().nextInt(4) == 0 ? 30 : 3);
    node.loop()
        .onResult(
            history.list(finished, cursor, limit),
            page -> {
              walk.took(page);
              if (page.next().isEmpty()) {
                walk.done();
              }
              RetainLaw.Walk next = page.next().isEmpty() ? law.new Walk() : walk;
              later(node, () -> list(stage, node, history, next, law, page.next()));
            },
            failure -> later(node, () -> list(stage, node, history, walk, law, cursor)));
  }

  private static void later(SimNode node, Runnable step) {
    var unused = node.loop().after(Duration.ofMillis(node.random().nextInt(800)), step);
  }
}
