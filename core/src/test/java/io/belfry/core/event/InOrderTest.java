package io.belfry.core.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Attempt;
import io.belfry.model.task.History;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.model.task.Token;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InOrderTest {
  private static final Instant AT = Instant.parse("2027-01-01T00:00:00Z");

  private final List<Happening> heard = new ArrayList<>();
  private final InOrder inOrder = new InOrder(heard::add);

  private static Task task(int number) {
    return Task.pending(
        TaskId.fire(new JobId("j"), AT.plusSeconds(number)),
        Work.of("j", ExecutorSpec.local("h")),
        Priority.NORMAL,
        AT,
        AT);
  }

  private static Task held(long token) {
    Task task = task(1);
    return new Task(
        task.id(),
        task.work(),
        task.scheduled(),
        task.created(),
        task.priority(),
        task.key(),
        new TaskState.Assigned(new Attempt(1, new Token(token), "w", AT)),
        Optional.empty(),
        History.NONE);
  }

  private void tell(Happening... happenings) {
    List.of(happenings).forEach(inOrder::observed);
  }

  @Test
  void a_new_leader_tells_again_what_was_heard_and_nobody_hears_it() {
    var submitted = new Happening.TaskSubmitted(task(1));
    var cancelled = new Happening.TaskCancelled(task(1));
    tell(submitted, submitted, cancelled, submitted, cancelled);
    assertThat(heard).containsExactly(submitted, cancelled);
  }

  @Test
  void every_attempt_has_its_own_steps() {
    Happening[] all = {
      new Happening.TaskSubmitted(task(1)),
      new Happening.TaskScheduled(held(5)),
      new Happening.TaskStarted(held(5)),
      new Happening.TaskRetrying(held(5)),
      new Happening.TaskScheduled(held(6)),
      new Happening.TaskStarted(held(6)),
      new Happening.TaskCompleted(held(6))
    };
    tell(all);
    assertThat(heard).containsExactly(all);
    tell(new Happening.TaskRetrying(held(5)), new Happening.TaskScheduled(held(6)));
    assertThat(heard).hasSize(all.length);
  }

  @Test
  void tasks_do_not_hide_each_other_and_what_is_no_task_always_passes() {
    tell(
        new Happening.TaskCompleted(task(1)),
        new Happening.TaskSubmitted(task(2)),
        new Happening.WorkerJoined("w~1"),
        new Happening.WorkerJoined("w~1"));
    assertThat(heard).hasSize(4);
  }

  @Test
  void of_old_tasks_nothing_is_remembered() {
    for (int i = 0; i < 10_001; i++) {
      tell(new Happening.TaskSubmitted(task(i)));
    }
    tell(new Happening.TaskSubmitted(task(10_000)), new Happening.TaskSubmitted(task(0)));
    assertThat(heard).hasSize(10_002);
  }
}
