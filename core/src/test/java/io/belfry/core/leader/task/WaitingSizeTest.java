package io.belfry.core.leader.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.dispatch.Dispatcher;
import io.belfry.core.dispatch.Strategies;
import io.belfry.core.event.Observer;
import io.belfry.core.leader.term.BackpressureSettings;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.leader.term.TestTerm;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.record.Records;
import io.belfry.core.submit.PayloadPath;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Attempt;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.model.task.Token;
import io.belfry.model.time.Time;
import io.belfry.store.MemoryStore;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** What waiting and held tasks cost the leader: a million of them must fit into a few hundred megabytes. */
class WaitingSizeTest {
  private static final int TASKS = 100_000;
  private static final int FEWER = 20_000;
  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");

  @Test
  void a_waiting_task_takes_less_than_700_bytes_whatever_its_payload_weighs() {
    long whole = bytesPerTask(Long.MAX_VALUE / 2, TASKS, WaitingSizeTest::task);
    long withoutPayload = bytesPerTask(0, TASKS, WaitingSizeTest::task);
    System.out.println("A waiting task with a payload of 1,000 B: " + whole + " B whole, "
        + withoutPayload + " B beyond the budget");
    assertThat(withoutPayload).isBetween(100L, 700L);
    assertThat(whole).isGreaterThan(1_000L);
  }

  @Test
  void a_held_task_takes_less_than_900_bytes_whatever_its_payload_weighs() {
    long whole = bytesPerTask(Long.MAX_VALUE / 2, FEWER, WaitingSizeTest::held);
    long withoutPayload = bytesPerTask(0, FEWER, WaitingSizeTest::held);
    System.out.println("A held task with a payload of 1,000 B: " + whole + " B whole, "
        + withoutPayload + " B beyond the budget");
    assertThat(withoutPayload).isBetween(100L, 900L);
    assertThat(whole).isGreaterThan(1_000L);
  }

  @Test
  void settings_and_metadata_of_many_kinds_are_not_kept_beyond_the_budget() {
    assertThat(bytesPerTask(0, FEWER, WaitingSizeTest::wordy)).isBetween(100L, 1_000L);
  }

  private static long bytesPerTask(
      long budget, int count, BiFunction<Integer, SplittableRandom, Task> tasks) {
    try (var store = new MemoryStore(Time.system(), Runnable::run);
        var loop = new ThreadLoop("book", Time.system(), new SplittableRandom(1), thrown -> {})) {
      var settings = LeaderSettings.DEFAULT.with(
          new BackpressureSettings(PayloadPath.NONE, BackpressureSettings.WAITING_MAX, budget));
      Dispatcher<LiveTask> dispatcher = Dispatcher.first(
          Strategies.builtIn().make("least-tasks"),
          Dispatcher.DEFAULT_STEP,
          new SplittableRandom(1));
      var table = new TaskTable(
          TestTerm.on(loop, store, settings, Observer.NOBODY),
          0,
          dispatcher,
          TestTasks.UNHEARD,
          () -> {});
      var random = new SplittableRandom(7);
      long before = usedHeap();
      for (int i = 0; i < count; i++) {
        table.recordStored(Records.task(Records.encode(tasks.apply(i, random))), i + 1);
      }
      long bytes = (usedHeap() - before) / count;
      assertThat(table.dispatcher.size() + table.tasks.held()).isEqualTo(count);
      return bytes;
    }
  }

  private static Task task(int i, SplittableRandom random) {
    byte[] payload = new byte[1000];
    random.nextBytes(payload);
    Work work = Work.of("invoice", ExecutorSpec.local("send-invoice"))
        .withPayload(Payload.of("application/octet-stream", payload));
    return Task.pending(
        TaskId.oneOff(NOW.plusMillis(i), random), work, Priority.NORMAL, NOW, NOW.plusMillis(i));
  }

  private static Task held(int i, SplittableRandom random) {
    Task task = task(i, random);
    var attempt = new Attempt(1, new Token(i + 1), "worker~1", NOW);
    return with(task, task.work(), new TaskState.Assigned(attempt));
  }

  /** Each of its own, so that nothing is shared. */
  private static Task wordy(int i, SplittableRandom random) {
    Task task = task(i, random);
    var executor = new ExecutorSpec("http", Map.of("body", (i + " ").repeat(300)));
    Work work = Work.of("call", executor).withMetadata(Map.of("k", (i + " ").repeat(100)));
    return with(task, work, task.state());
  }

  private static Task with(Task task, Work work, TaskState state) {
    return new Task(
        task.id(),
        work,
        task.scheduled(),
        task.created(),
        task.priority(),
        task.key(),
        state,
        task.cancel(),
        task.history());
  }

  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
