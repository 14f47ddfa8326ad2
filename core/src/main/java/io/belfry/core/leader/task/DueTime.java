package io.belfry.core.leader.task;

import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.EndedAttempt;
import io.belfry.model.task.EndedAttempt.Ending;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** When a task may be tried, by the clock of this leader. Threading: stateless. */
final class DueTime {
  private DueTime() {}

  /**
   * The task, due by our clock. The pause before a retry was set by the clock of the worker that reported the failure, and what is to
   * begin at once was made by the clock of a leader or of a server; if that was ahead, the task would wait for as long as it was. So
   * no task waits longer from now on than the pause itself. What has a time of its own keeps to it: a fire by the timetable, and what was
   * submitted for later.
   *
   * <p>A task that waits in the queue of its job, and whose worker was lost or handed it back, is due when it was scheduled: so it keeps its
   * place before the fires that came after it. A task that failed lets them go first while it waits for its retry.
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
    if (keepsItsPlace(task) && task.scheduled().isBefore(due)) {
      return dueAt(task, task.scheduled());
    }
    return asked.isPresent() && due.isAfter(latest) ? dueAt(task, latest) : task;
  }

  private static Task dueAt(Task task, Instant due) {
    return task.with(new TaskState.Pending(due), task.cancel(), task.history());
  }

  private static boolean keepsItsPlace(Task task) {
    return TaskBody.isInLine(task)
        && task.history().latest().filter(DueTime::wasTakenAway).isPresent();
  }

  private static boolean wasTakenAway(EndedAttempt last) {
    return switch (last.ending()) {
      case Ending.HandedBack unused -> true;
      case Ending.Failed(var failure) -> failure.kind() == FailureKind.LOST;
      case Ending.Succeeded unused -> false;
      case Ending.Cancelled unused -> false;
    };
  }

  private static boolean isForNow(Task task, Instant due) {
    boolean byTimetable = task.id().isFire() && due.equals(task.scheduled());
    return due.equals(task.created()) && !byTimetable;
  }
}
