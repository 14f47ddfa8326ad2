package io.belfry.core.leader.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Command;
import io.belfry.model.task.Decision;
import io.belfry.model.task.StateName;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskLife;
import io.belfry.model.task.Token;
import java.time.Instant;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LiveCountsTest {
  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");

  private final SplittableRandom random = new SplittableRandom(1);
  private final TaskIndex tasks = new TaskIndex();
  private final LiveCounts counts = tasks.counts;

  private static Task task(String id, String queue, Priority priority) {
    Work work = Work.of("t", ExecutorSpec.local("noop")).withQueue(queue);
    return Task.pending(TaskId.parse(id), work, priority, NOW, NOW);
  }

  private Task after(Task task, Command command) {
    return switch (TaskLife.decide(task, command, NOW, random)) {
      case Decision.Accepted(var events) -> TaskLife.apply(task, events);
      case Decision.Refused(var reason) -> throw new AssertionError(reason);
    };
  }

  @Test
  void a_task_is_counted_where_it_is_from_its_coming_to_its_end() {
    Task pending = task("a", "q", Priority.HIGH);
    var live = new LiveTask(pending, 1);
    tasks.add(live);
    assertThat(counts.count(StateName.PENDING, Priority.HIGH)).isEqualTo(1);
    assertThat(counts.waitingByQueue()).containsEntry("q", 1L);

    Task urgent = after(pending, new Command.Reprioritise(Priority.URGENT));
    tasks.change(live, urgent, 2);
    assertThat(counts.count(StateName.PENDING, Priority.HIGH)).isZero();
    assertThat(counts.count(StateName.PENDING, Priority.URGENT)).isEqualTo(1);

    Task assigned = after(urgent, new Command.Assign(new Token(3), "w~1"));
    tasks.change(live, assigned, 3);
    assertThat(counts.count(StateName.ASSIGNED, Priority.URGENT)).isEqualTo(1);
    assertThat(counts.waitingByQueue()).containsEntry("q", 0L);

    Task lost = after(assigned, new Command.Rescue(assigned.token(), "gone"));
    tasks.change(live, lost, 4);
    assertThat(counts.count(StateName.RETRYING, Priority.URGENT)).isEqualTo(1);
    assertThat(counts.waitingByQueue()).containsEntry("q", 1L);

    tasks.remove(live);
    tasks.remove(live);
    for (StateName state : StateName.values()) {
      for (Priority priority : Priority.values()) {
        assertThat(counts.count(state, priority)).isZero();
      }
    }
    assertThat(counts.waitingByQueue()).containsEntry("q", 0L);
  }

  @Test
  void of_very_many_queues_the_rest_is_counted_together() {
    int queues = LiveCounts.QUEUES_MAX + 20;
    for (int i = 0; i < queues; i++) {
      tasks.add(new LiveTask(task("t" + i, "q" + i, Priority.NORMAL), 1));
    }
    assertThat(counts.waitingByQueue())
        .hasSize(LiveCounts.QUEUES_MAX + 1)
        .containsEntry("q0", 1L)
        .containsEntry(LiveCounts.OTHER_QUEUES, 20L);
    for (int i = 0; i < queues; i++) {
      tasks.remove(Objects.requireNonNull(tasks.find(TaskId.parse("t" + i))));
    }
    assertThat(counts.waitingByQueue().values()).containsOnly(0L);
    assertThat(counts.count(StateName.PENDING, Priority.NORMAL)).isZero();
  }
}
