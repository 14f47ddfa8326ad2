package io.belfry.core.leader.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.leader.term.TestTerm;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.record.Stored;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.MemoryStore;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A task of which the leader keeps little, made whole again. */
class TaskReaderTest {
  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");

  private final ManualTime time = new ManualTime(NOW);
  private final MemoryStore store = new MemoryStore(time, Runnable::run);
  private final StepLoop loop = new StepLoop(time, new SplittableRandom(1));
  private final TaskReader reader = new TaskReader(TestTerm.on(loop, store).loop(), store);
  private final List<Task> told = new ArrayList<>();
  private int changed;

  @Test
  void is_told_with_what_the_store_has_of_it() {
    LiveTask live = assigned();
    whole(live);
    loop.run(Duration.ofMillis(1));
    assertThat(told)
        .singleElement()
        .satisfies(task -> assertThat(task.work().payload().bytes()).hasSize(1000));
    assertThat(changed).isZero();
  }

  @Test
  void is_not_told_as_it_was_when_something_newer_is_heard_while_it_is_read() {
    LiveTask live = assigned();
    whole(live);
    live.revision(live.revision() + 1); // a report that it has begun, which came before the answer
    loop.run(Duration.ofMillis(1));
    assertThat(told).isEmpty();
    assertThat(changed).isOne();
  }

  @Test
  void is_not_told_as_it_was_when_the_store_has_something_newer() {
    LiveTask live = assigned();
    put(live.task());
    whole(live);
    loop.run(Duration.ofMillis(1));
    assertThat(told).isEmpty();
    assertThat(changed).isOne();
  }

  private void whole(LiveTask live) {
    reader.whole(live, live.task(), told::add, () -> changed++);
  }

  private LiveTask assigned() {
    Work work = Work.of("t", ExecutorSpec.local("noop"))
        .withPayload(Payload.of("application/octet-stream", new byte[1000]));
    Task pending = Task.pending(TaskId.oneOff(NOW, loop.random()), work, Priority.NORMAL, NOW, NOW);
    Task task = StoredTasks.assigned(pending, "w~1", NOW, loop.random());
    long revision = put(task);
    LiveTask live = new LiveTask(Stored.stamped(task, revision), revision);
    new PayloadBudget(0).settle(live);
    assertThat(live.isWithoutPayload()).isTrue();
    return live;
  }

  private long put(Task task) {
    return StoredTasks.put(store, task);
  }
}
