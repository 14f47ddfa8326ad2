package io.belfry.core.reign;

import io.belfry.core.dispatch.Unserved;
import io.belfry.core.event.Happening;
import io.belfry.core.event.Observer;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;

/**
 * Tells what has become of a task. A leader may learn of several steps at once; each is told, in their order.
 *
 * <p>Threading: confined to the reign's loop.
 */
final class Herald {
  private final Observer observer;
  private Runnable keyed = () -> {};

  Herald(Observer observer) {
    this.observer = observer;
  }

  /** Hears of each task that was submitted with an idempotency key. */
  void onKey(Runnable listener) {
    keyed = listener;
  }

  void submitted(Task task) {
    if (task.key().isPresent()) {
      keyed.run();
    }
    observer.saw(new Happening.TaskSubmitted(task));
  }

  void rejected(TaskId task, long token) {
    observer.saw(new Happening.ReportRejected(task, token));
  }

  void unmatched(Unserved unserved) {
    observer.saw(
        new Happening.TasksUnmatched(unserved.queue(), unserved.labels(), unserved.tasks()));
  }

  void scheduled(Task task) {
    observer.saw(new Happening.TaskScheduled(task));
  }

  void changed(Task before, Task after) {
    boolean taken =
        before.state() instanceof TaskState.Pending && after.attempts() > before.attempts();
    if (taken) {
      observer.saw(new Happening.TaskScheduled(after));
    }
    boolean began = after.started().isPresent()
        && !(before.state() instanceof TaskState.Running)
        && (taken || before.state() instanceof TaskState.Held);
    if (began) {
      observer.saw(new Happening.TaskStarted(after));
    }
    switch (after.state()) {
      case TaskState.Succeeded unused -> observer.saw(new Happening.TaskCompleted(after));
      case TaskState.Failed unused -> observer.saw(new Happening.TaskFailed(after));
      case TaskState.Cancelled unused -> observer.saw(new Happening.TaskCancelled(after));
      case TaskState.Pending unused
      when before.state() instanceof TaskState.Held ->
        observer.saw(new Happening.TaskRetrying(after));
      default -> {
        // The rest is no news.
      }
    }
  }
}
