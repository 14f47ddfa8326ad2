package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.QueueRecord;
import io.belfry.core.record.Records;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.core.worker.Launcher.Ending;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * A queue of limited tasks is switched between push and pull all the time, just when there is something to claim, and leaders hear of
 * what workers claimed more slowly than of what was switched.
 */
final class PullScenario implements LongConsumer {
  private static final Duration STORM = Duration.ofSeconds(30);
  private static final Duration END = Duration.ofSeconds(60);
  private static final Duration ROUND = Duration.ofMillis(700);
  private static final int KEYS = 6;

  private static final Script SOME_TIME = (task, random) -> new Script.Body(
      Duration.ofMillis(100 + random.nextInt(300)),
      new Ending.Returned(Result.OK),
      Duration.ofMillis(1));

  @Override
  public void accept(long seed) {
    var stage = new Stage(seed, "ScenariosTest#a_queue_is_switched_under_its_tasks");
    var unusedLimits = new LimitLaw(stage.simulation);
    var unusedClaims = new ClaimLaw(stage.simulation);
    stage.scheduler("s1");
    stage.scheduler("s2");
    List<Cluster.Seat> workers = List.of(
        stage.worker("w1", 10, SOME_TIME),
        stage.worker("w2", 10, SOME_TIME),
        stage.worker("w3", 10, SOME_TIME));
    stage.simulation.cluster().add("c", process -> client(stage, process));
    for (long at = 5_000_000_000L; at < STORM.toNanos(); at += 3_000_000_000L) {
      Cluster.Seat worker = workers.get(stage.dice.nextInt(workers.size()));
      Duration lag = Duration.ofMillis(stage.dice.nextInt(1_500));
      stage.world.at(at, () -> worker.link(stage.simulation.engine()).lag(lag));
    }
    stage.world.in(
        STORM,
        () -> workers.forEach(seat -> seat.link(stage.simulation.engine()).lag(Duration.ZERO)));
    stage.runUntil(END);
  }

  private static void client(Stage stage, Cluster.Booted process) {
    Loop loop = process.node().loop();
    Store store = process.store();
    var submitter = new Submitter(loop, store, process.node().id(), Duration.ofDays(7), 1000);
    round(stage, process.node(), store, submitter, 1);
  }

  private static void round(
      Stage stage, SimNode node, Store store, Submitter submitter, long number) {
    if (stage.world.now() >= STORM.toNanos()) {
      return;
    }
    write(node, store, QueueRecord.Mode.PULL, 2 * number);
    for (int i = 0; i < 2 * KEYS; i++) {
      submit(node, submitter, "key-" + i % KEYS);
    }
    Duration push = Duration.ofNanos(200_000_000L + node.random().nextInt(200_000_000));
    var unused =
        node.loop().after(push, () -> write(node, store, QueueRecord.Mode.PUSH, 2 * number + 1));
    unused = node.loop().after(ROUND, () -> round(stage, node, store, submitter, number + 1));
  }

  private static void write(SimNode node, Store store, QueueRecord.Mode mode, long generation) {
    byte[] value = Records.encode(new QueueRecord(mode, false, generation));
    Commit commit = Commit.when().put(Keys.queue(CoreSwitches.QUEUE), value).build();
    node.loop().onResult(store.commit(commit), done -> {}, failure -> {});
  }

  private static void submit(SimNode node, Submitter submitter, String key) {
    Instant now = SimTime.BEGINNING.plusNanos(node.world().now());
    Work work = Work.of("one-off", ExecutorSpec.local("noop"))
        .withQueue(CoreSwitches.QUEUE)
        .withLimit(Limit.concurrency(1).by(key));
    Task task = Task.pending(TaskId.oneOff(now, node.random()), work, Priority.NORMAL, now, now);
    node.loop()
        .onResult(
            submitter.submit(new Submission(task, Optional.empty())), receipt -> {}, failure -> {});
  }
}
