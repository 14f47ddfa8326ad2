package io.belfry.core.leader.task;

import io.belfry.core.dispatch.UnmatchedCount;
import io.belfry.core.event.Happening;
import io.belfry.core.event.Observer;
import io.belfry.model.task.Event;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import java.util.List;
import java.util.Optional;

/**
 * Publishes what happens to tasks. What the leader decides is published as decided. Of what workers decide the leader reads only the
 * result, in a report or in the record; it publishes each step between the record it knew and that.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class TaskEvents {
  private final Observer observer;
  private final Runnable keyed;

  /**
   * Publishes to an observer.
   *
   * @param keyed receives each task that was submitted with an idempotency key
   */
  TaskEvents(Observer observer, Runnable keyed) {
    this.observer = observer;
    this.keyed = keyed;
  }

  void submitted(Task task) {
    if (task.key().isPresent()) {
      keyed.run();
    }
    observer.observed(new Happening.TaskSubmitted(task));
  }

  void rejected(TaskId task, long token) {
    observer.observed(new Happening.ReportRejected(task, token));
  }

  void unmatched(UnmatchedCount unserved) {
    observer.observed(
        new Happening.TasksUnmatched(unserved.queue(), unserved.labels(), unserved.tasks()));
  }

  void assigned(Task task) {
    observer.observed(new Happening.TaskScheduled(task));
  }

  void decided(List<Event> events, Task after) {
    for (Event event : events) {
      happening(event, after).ifPresent(observer::observed);
    }
  }

  private static Optional<Happening> happening(Event event, Task after) {
    return switch (event) {
      case Event.Assigned unused -> Optional.of(new Happening.TaskScheduled(after));
      case Event.Started unused -> Optional.of(new Happening.TaskStarted(after));
      case Event.Completed unused -> Optional.of(new Happening.TaskCompleted(after));
      case Event.RetryScheduled unused -> Optional.of(new Happening.TaskRetrying(after));
      case Event.HandedBack unused -> Optional.of(new Happening.TaskRetrying(after));
      case Event.Failed unused -> Optional.of(new Happening.TaskFailed(after));
      case Event.Cancelled unused -> Optional.of(new Happening.TaskCancelled(after));
      case Event.CancelRequested unused -> Optional.empty();
      case Event.Skipped unused -> Optional.empty();
      case Event.Reprioritised unused -> Optional.empty();
    };
  }

  /** Steps that a worker has decided, in their order. */
  void read(Task before, Task after) {
    boolean taken =
        before.state() instanceof TaskState.Pending && after.attempts() > before.attempts();
    if (taken) {
      observer.observed(new Happening.TaskScheduled(after));
    }
    boolean began = after.started().isPresent()
        && !(before.state() instanceof TaskState.Running)
        && (taken || before.state() instanceof TaskState.Held);
    if (began) {
      observer.observed(new Happening.TaskStarted(after));
    }
    switch (after.state()) {
      case TaskState.Succeeded unused -> observer.observed(new Happening.TaskCompleted(after));
      case TaskState.Failed unused -> observer.observed(new Happening.TaskFailed(after));
      case TaskState.Cancelled unused -> observer.observed(new Happening.TaskCancelled(after));
      case TaskState.Pending unused
      when before.state() instanceof TaskState.Held ->
        observer.observed(new Happening.TaskRetrying(after));
      default -> {
        // No event belongs to the other steps.
      }
    }
  }
}
