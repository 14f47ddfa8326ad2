package io.belfry.core.reign;

import io.belfry.model.task.EndedAttempt;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** When a task may be tried again. Threading: stateless. */
final class Due {
  private Due() {}

  /**
   * The task, due by our clock. The pause before a retry was set by the clock of the worker that reported the failure; if that is
   * ahead, the task would wait for as long as it is. So nobody waits longer from now on than the pause itself.
   */
  static Task byOurClock(Task task, Instant now) {
    Optional<EndedAttempt> last = task.history().latest();
    if (last.isEmpty() || !(task.state() instanceof TaskState.Pending(Instant due))) {
      return task;
    }
    Duration pause = Duration.between(last.get().ended(), due);
    Instant latest = now.plus(pause.isNegative() ? Duration.ZERO : pause);
    return due.isAfter(latest)
        ? new Task(
            task.id(),
            task.work(),
            task.scheduled(),
            task.created(),
            task.priority(),
            task.key(),
            new TaskState.Pending(latest),
            task.cancel(),
            task.history())
        : task;
  }
}
