package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.QueueRecord;
import io.belfry.core.record.Records;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.core.worker.Launcher.Ending;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * The only worker is small and its answers come slowly, and tasks that it is given take the room for which it wanted to claim others: those must still
 * have their turn, though nobody offers them again.
 */
final class ScarceScenario implements LongConsumer {
  private static final Duration RUSH = Duration.ofSeconds(30);
  private static final Duration END = Duration.ofSeconds(90);
  private static final Duration BETWEEN = Duration.ofMillis(150);
  private static final Duration SLOW = Duration.ofMillis(250);
  private static final int CAPACITY = 2;
  private static final int PULLED = 3;

  private static final Script SOME_TIME = (task, random) -> new Script.Body(
      Duration.ofMillis(50 + random.nextInt(400)),
      new Ending.Returned(Result.OK),
      Duration.ofMillis(1));

  @Override
  public void accept(long seed) {
    var stage = new Stage(seed, "ScenariosTest#what_had_no_room_is_claimed_later");
    var unusedClaims = new ClaimLaw(stage.simulation);
    stage.scheduler("s");
    Cluster.Seat worker = stage.worker("w", CAPACITY, SOME_TIME);
    stage.simulation.cluster().add("c", process -> client(stage, process));
    stage.world.at(0, () -> worker.link(stage.simulation.engine()).slow(SLOW));
    stage.runUntil(END);
  }

  private static void client(Stage stage, Cluster.Booted process) {
    Loop loop = process.node().loop();
    byte[] pulled = Records.encode(new QueueRecord(QueueRecord.Mode.PULL, false, 1));
    Commit commit = Commit.when().put(Keys.queue(CoreSwitches.QUEUE), pulled).build();
    loop.onResult(process.store().commit(commit), done -> {}, failure -> {});
    var submitter =
        new Submitter(loop, process.store(), process.node().id(), Duration.ofDays(7), 1000);
    SimNode node = process.node();
    var unused = loop.after(Duration.ofSeconds(3), () -> {
      for (int i = 0; i < PULLED; i++) {
        submit(stage, node, submitter, CoreSwitches.QUEUE);
      }
    });
    push(stage, node, submitter);
  }

  private static void push(Stage stage, SimNode node, Submitter submitter) {
    if (stage.world.now() < RUSH.toNanos()) {
      submit(stage, node, submitter, Work.DEFAULT_QUEUE);
      Duration pause = Duration.ofNanos(node.random().nextLong(2 * BETWEEN.toNanos()));
      var unused = node.loop().after(pause, () -> push(stage, node, submitter));
    }
  }

  private static void submit(Stage stage, SimNode node, Submitter submitter, String queue) {
    Instant now = SimTime.BEGINNING.plusNanos(node.world().now());
    Work work = Work.of("one-off", ExecutorSpec.local("noop")).withQueue(queue);
    Task task = Task.pending(TaskId.oneOff(now, node.random()), work, Priority.NORMAL, now, now);
    node.loop()
        .onResult(
            submitter.submit(new Submission(task, Optional.empty())),
            receipt -> stage.laws.accepted(task.id()),
            failure -> {});
  }
}
