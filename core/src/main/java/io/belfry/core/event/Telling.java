package io.belfry.core.event;

import io.belfry.core.record.EventKind;
import io.belfry.core.record.Told;
import io.belfry.core.record.WithoutPayload;
import io.belfry.model.task.Task;
import java.util.EnumSet;
import java.util.Set;

/** Converts events to and from the form in which they are sent to other nodes. Threading: stateless. */
public final class Telling {
  private Telling() {}

  /** The kinds of events that a subscriber to this type receives. */
  public static Set<EventKind> kinds(Class<? extends Happening> type) {
    Set<EventKind> kinds = EnumSet.noneOf(EventKind.class);
    for (EventKind kind : EventKind.values()) {
      if (type.isAssignableFrom(type(kind))) {
        kinds.add(kind);
      }
    }
    return kinds;
  }

  private static Class<? extends Happening> type(EventKind kind) {
    return switch (kind) {
      case TASK_SUBMITTED -> Happening.TaskSubmitted.class;
      case TASK_SCHEDULED -> Happening.TaskScheduled.class;
      case TASK_STARTED -> Happening.TaskStarted.class;
      case TASK_COMPLETED -> Happening.TaskCompleted.class;
      case TASK_FAILED -> Happening.TaskFailed.class;
      case TASK_CANCELLED -> Happening.TaskCancelled.class;
      case TASK_RETRYING -> Happening.TaskRetrying.class;
      case FIRES_SKIPPED -> Happening.FiresSkipped.class;
      case WORKER_JOINED -> Happening.WorkerJoined.class;
      case WORKER_LEFT -> Happening.WorkerLeft.class;
      case WORKER_ONLINE -> Happening.WorkerOnline.class;
      case WORKER_OFFLINE -> Happening.WorkerOffline.class;
      case LEADER_CHANGED -> Happening.LeaderChanged.class;
      case REPORT_REJECTED -> Happening.ReportRejected.class;
      case TASKS_UNMATCHED -> Happening.TasksUnmatched.class;
    };
  }

  public static EventKind kind(Happening happening) {
    return switch (happening) {
      case Happening.TaskSubmitted unused -> EventKind.TASK_SUBMITTED;
      case Happening.TaskScheduled unused -> EventKind.TASK_SCHEDULED;
      case Happening.TaskStarted unused -> EventKind.TASK_STARTED;
      case Happening.TaskCompleted unused -> EventKind.TASK_COMPLETED;
      case Happening.TaskFailed unused -> EventKind.TASK_FAILED;
      case Happening.TaskCancelled unused -> EventKind.TASK_CANCELLED;
      case Happening.TaskRetrying unused -> EventKind.TASK_RETRYING;
      case Happening.FiresSkipped unused -> EventKind.FIRES_SKIPPED;
      case Happening.WorkerJoined unused -> EventKind.WORKER_JOINED;
      case Happening.WorkerLeft unused -> EventKind.WORKER_LEFT;
      case Happening.WorkerOnline unused -> EventKind.WORKER_ONLINE;
      case Happening.WorkerOffline unused -> EventKind.WORKER_OFFLINE;
      case Happening.LeaderChanged unused -> EventKind.LEADER_CHANGED;
      case Happening.ReportRejected unused -> EventKind.REPORT_REJECTED;
      case Happening.TasksUnmatched unused -> EventKind.TASKS_UNMATCHED;
    };
  }

  /** Encodes an event; tasks lose payload and data, which may be large. */
  public static Told tell(Happening happening) {
    EventKind kind = kind(happening);
    return switch (happening) {
      case Happening.OfTask of -> new Told.OfTask(kind, WithoutPayload.of(of.task()));
      case Happening.FiresSkipped(var job, var range) -> new Told.Skipped(job, range);
      case Happening.WorkerJoined(String worker) -> new Told.OfWorker(kind, worker);
      case Happening.WorkerLeft(String worker) -> new Told.OfWorker(kind, worker);
      case Happening.WorkerOnline(String worker) -> new Told.OfWorker(kind, worker);
      case Happening.WorkerOffline(String worker) -> new Told.OfWorker(kind, worker);
      case Happening.LeaderChanged(var term) -> new Told.Led(term);
      case Happening.ReportRejected(var task, long token) -> new Told.Rejected(task, token);
      case Happening.TasksUnmatched(String queue, var labels, long tasks) ->
        new Told.Unmatched(queue, labels, tasks);
    };
  }

  public static Happening heard(Told event) {
    return switch (event) {
      case Told.OfTask(EventKind kind, Task task) -> ofTask(kind, task);
      case Told.OfWorker(EventKind kind, String worker) -> ofWorker(kind, worker);
      case Told.Skipped(var job, var range) -> new Happening.FiresSkipped(job, range);
      case Told.Led(var term) -> new Happening.LeaderChanged(term);
      case Told.Rejected(var task, long token) -> new Happening.ReportRejected(task, token);
      case Told.Unmatched(String queue, var labels, long tasks) ->
        new Happening.TasksUnmatched(queue, labels, tasks);
    };
  }

  private static Happening ofTask(EventKind kind, Task task) {
    return switch (kind) {
      case TASK_SUBMITTED -> new Happening.TaskSubmitted(task);
      case TASK_SCHEDULED -> new Happening.TaskScheduled(task);
      case TASK_STARTED -> new Happening.TaskStarted(task);
      case TASK_COMPLETED -> new Happening.TaskCompleted(task);
      case TASK_FAILED -> new Happening.TaskFailed(task);
      case TASK_CANCELLED -> new Happening.TaskCancelled(task);
      case TASK_RETRYING -> new Happening.TaskRetrying(task);
      default -> throw new IllegalArgumentException(kind + " is not an event of a task");
    };
  }

  private static Happening ofWorker(EventKind kind, String worker) {
    return switch (kind) {
      case WORKER_JOINED -> new Happening.WorkerJoined(worker);
      case WORKER_LEFT -> new Happening.WorkerLeft(worker);
      case WORKER_ONLINE -> new Happening.WorkerOnline(worker);
      case WORKER_OFFLINE -> new Happening.WorkerOffline(worker);
      default -> throw new IllegalArgumentException(kind + " is not an event of a worker");
    };
  }
}
