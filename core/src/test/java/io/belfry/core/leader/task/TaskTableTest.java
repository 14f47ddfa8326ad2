package io.belfry.core.leader.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.dispatch.Dispatcher;
import io.belfry.core.dispatch.Reservation;
import io.belfry.core.dispatch.Strategies;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.TestTerm;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.record.Stored;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.MemoryStore;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A task that a scan should have found, and did not. */
class TaskTableTest {
  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");
  private static final String WORKER = "w~1";

  private final ManualTime time = new ManualTime(NOW);
  private final MemoryStore store = new MemoryStore(time, Runnable::run);
  private final StepLoop loop = new StepLoop(time, new SplittableRandom(1));
  private final Dispatcher<LiveTask> dispatcher = Dispatcher.first(
      Strategies.builtIn().make("least-tasks"), Dispatcher.DEFAULT_STEP, new SplittableRandom(1));
  private final TaskTable table =
      new TaskTable(TestTerm.on(loop, store), 0, dispatcher, TestTasks.UNHEARD, () -> {});
  private final Task pending = Task.pending(
      TaskId.oneOff(NOW, loop.random()),
      Work.of("t", ExecutorSpec.local("noop")),
      Priority.NORMAL,
      NOW,
      NOW);

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void is_over_if_nothing_was_under_way() {
    LiveTask live = table.recordStored(pending, put(pending));
    table.missedByScan(live);
    assertThat(table.contains(pending.id())).isFalse();
  }

  @Test
  void is_read_once_our_own_commit_is_answered_and_forgotten_if_it_is_over() {
    LiveTask live = assigner();
    long revision = put(assigned());
    store.commit(Commit.when().delete(Keys.task(pending.id())).build());
    table.missedByScan(live);
    assertThat(table.contains(pending.id())).as("the answer is still to come").isTrue();
    answered(live, revision);
    assertThat(table.contains(pending.id())).isFalse();
  }

  @Test
  void stays_if_it_came_to_stand_after_the_scan() {
    LiveTask live = assigner();
    table.missedByScan(live);
    answered(live, put(assigned()));
    assertThat(table.contains(pending.id())).isTrue();
    assertThat(!live.isFree()).isFalse();
    assertThat(live.holder()).contains(WORKER);
  }

  private LiveTask assigner() {
    LiveTask live = table.recordStored(pending, put(pending));
    table.beginWrite(live);
    return live;
  }

  private void answered(LiveTask live, long revision) {
    var hold = new Reservation(WORKER, "", pending.work().limit(), "");
    table.recordAssigned(live, hold, Stored.stamped(assigned(), revision), revision);
    loop.run(Duration.ofSeconds(1));
  }

  private Task assigned() {
    return StoredTasks.assigned(pending, WORKER, NOW, loop.random());
  }

  private long put(Task task) {
    return StoredTasks.put(store, task);
  }
}
