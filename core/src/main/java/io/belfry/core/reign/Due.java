package io.belfry.core.reign;

import io.belfry.model.task.EndedAttempt;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** When a task may be tried, by whoever leads now. Threading: stateless. */
final class Due {
  private Due() {}

  /**
   * The task, due by our clock. The pause before a retry was set by the clock of the worker that reported the failure, and what is to
   * begin at once was made by the clock of a leader or of a server; if that was ahead, the task would wait for as long as it was. So
   * nobody waits longer from now on than the pause itself. What has a time of its own keeps to it: a fire by the timetable, and what was
   * submitted for later.
   */
  static Task byOurClock(Task task, Instant now) {
    if (!(task.state() instanceof TaskState.Pending(Instant due))) {
      return task;
    }
    Optional<Instant> asked = task.history()
        .latest()
        .map(EndedAttempt::ended)
        .or(() -> Optional.of(due).filter(at -> isForNow(task, at)));
    Duration pause = asked.map(from -> Duration.between(from, due)).orElse(Duration.ZERO);
    Instant latest = now.plus(pause.isNegative() ? Duration.ZERO : pause);
    return asked.isPresent() && due.isAfter(latest)
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

  private static boolean isForNow(Task task, Instant due) {
    boolean byTimetable = task.id().isFire() && due.equals(task.scheduled());
    return due.equals(task.created()) && !byTimetable;
  }
}
