package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.event.Happening.TaskCompleted;
import io.belfry.core.record.QueueRecord;
import io.belfry.core.record.QueueRecord.Mode;
import io.belfry.model.InvalidException;
import io.belfry.model.job.Job;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Trigger;
import io.belfry.model.task.TaskId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/queues-and-limits.md, as user code. */
class QueuesTest {
  private static final String QUEUE = "thumbnails";

  @TempDir
  Path directory;

  private final RecordedEvents heard = new RecordedEvents();

  private Belfry open() {
    return Belfry.open(
        Settings.defaults().store("embedded:" + directory).node("n").workerCapacity(4),
        heard::from);
  }

  @Test
  void a_queue_is_pulled_from_and_pushed_again_while_tasks_run() {
    var runs = new AtomicInteger();
    try (Belfry belfry = open()) {
      belfry.handle("draw", attempt -> runs.incrementAndGet());
      List<TaskId> all = new ArrayList<>();
      for (Mode mode : List.of(Mode.PULL, Mode.PUSH, Mode.PULL)) {
        belfry.queues().mode(QUEUE, mode);
        for (int i = 0; i < 10; i++) {
          all.add(belfry.submit(Submission.local("draw").queue(QUEUE)));
        }
      }
      all.forEach(id -> heard.await(TaskCompleted.class, id));
      assertThat(runs).hasValue(30);
      assertThat(belfry.queues().get(QUEUE)).isEqualTo(new QueueRecord(Mode.PULL, false, 3));
      assertThat(belfry.queues().all()).containsOnlyKeys(QUEUE);
    }
  }

  @Test
  void nothing_of_a_paused_queue_begins_until_it_goes_on() {
    var runs = new AtomicInteger();
    try (Belfry belfry = open()) {
      belfry.handle("draw", attempt -> runs.incrementAndGet());
      belfry.queues().mode(QUEUE, Mode.PULL);
      belfry.queues().pause(QUEUE);
      TaskId waits = belfry.submit(Submission.local("draw").queue(QUEUE));
      TaskId other = belfry.submit(Submission.local("draw"));
      heard.await(TaskCompleted.class, other);
      assertThat(runs).hasValue(1);
      belfry.queues().resume(QUEUE);
      heard.await(TaskCompleted.class, waits);
      assertThat(runs).hasValue(2);
    }
  }

  @Test
  void the_key_of_a_limit_is_filled_in_from_the_payload() {
    var limit = Limit.concurrency(1).by("c-${payload.customer}");
    try (Belfry belfry = open()) {
      belfry.handle("bill", attempt -> {});
      TaskId id = belfry.submit(Submission.local("bill", Map.of("customer", 17)).limit(limit));
      heard.await(TaskCompleted.class, id);
      assertThat(belfry.task(id).orElseThrow().work().limit().key()).contains("c-17");
      belfry
          .jobs()
          .save(Job.named("bills")
              .trigger(new Trigger.Manual())
              .local("bill", Payloads.of(Map.of("customer", "x")))
              .limit(limit)
              .build());
      TaskId triggered = belfry.jobs().trigger("bills");
      heard.await(TaskCompleted.class, triggered);
      assertThat(belfry.task(triggered).orElseThrow().work().limit().key()).contains("c-x");
    }
  }

  @Test
  void a_key_that_cannot_be_read_is_refused_with_its_place() {
    try (Belfry belfry = open()) {
      var bad = Submission.local("bill").limit(Limit.concurrency(1).by("c-${customer}"));
      assertThatThrownBy(() -> belfry.submit(bad))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("character 5");
    }
  }

  @Test
  void a_bound_of_nothing_is_refused() {
    assertThatThrownBy(() -> Settings.defaults().pendingMax(0).checked())
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("pendingMax");
  }
}
