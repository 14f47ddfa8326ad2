package io.belfry.core.leader.task;

import io.belfry.core.dispatch.Unserved;
import io.belfry.core.event.Happening;
import io.belfry.core.event.Observer;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;

/**
 * Tells what has become of a task. A leader may learn of several steps at once; each is told, in their order.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class TaskEvents {
  private final Observer observer;
  private Runnable keyed = () -> {};

  TaskEvents(Observer observer) {
    this.observer = observer;
  }

  /** Hears of each task that was submitted with an idempotency key. */
  public void onKey(Runnable listener) {
    keyed = listener;
  }

  public void submitted(Task task) {
    if (task.key().isPresent()) {
      keyed.run();
    }
    observer.observed(new Happening.TaskSubmitted(task));
  }

  public void rejected(TaskId task, long token) {
    observer.observed(new Happening.ReportRejected(task, token));
  }

  public void unmatched(Unserved unserved) {
    observer.observed(
        new Happening.TasksUnmatched(unserved.queue(), unserved.labels(), unserved.tasks()));
  }

  public void scheduled(Task task) {
    observer.observed(new Happening.TaskScheduled(task));
  }

  public void changed(Task before, Task after) {
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
        // The rest is no news.
      }
    }
  }
}
