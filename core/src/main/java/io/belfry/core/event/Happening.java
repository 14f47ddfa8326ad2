package io.belfry.core.event;

import io.belfry.core.record.Term;
import io.belfry.model.job.JobId;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.EndedAttempt;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.util.Map;

/** Something that has happened and is durable. */
public sealed interface Happening {

  /** The task is as it was after what happened; in reports of an end, without payload and data. */
  sealed interface OfTask extends Happening {
    Task task();
  }

  record TaskSubmitted(Task task) implements OfTask {}

  record TaskScheduled(Task task) implements OfTask {}

  record TaskStarted(Task task) implements OfTask {}

  record TaskCompleted(Task task) implements OfTask {
    /** How long the code of the attempt that succeeded ran. */
    public Duration took() {
      return task.history().latest().flatMap(EndedAttempt::took).orElse(Duration.ZERO);
    }
  }

  record TaskFailed(Task task) implements OfTask {}

  record TaskCancelled(Task task) implements OfTask {}

  /** Pending again after an attempt that failed, got lost or was handed back. */
  record TaskRetrying(Task task) implements OfTask {}

  /** Due instants that were not fired. */
  record FiresSkipped(JobId job, SkippedRange range) implements Happening {}

  /** Has registered: its record is there. Heard again of every worker when another node takes the lead. */
  record WorkerJoined(String worker) implements Happening {}

  /** Its record is gone: it has left, or its lease has ended. */
  record WorkerLeft(String worker) implements Happening {}

  /** Is there and healthy. */
  record WorkerOnline(String worker) implements Happening {}

  /** Is unhealthy, or not there any more. */
  record WorkerOffline(String worker) implements Happening {}

  record LeaderChanged(Term term) implements Happening {}

  /** A report under an old token, which was not accepted. */
  record ReportRejected(TaskId task, long token) implements Happening {}

  /**
   * Tasks have waited for longer than {@code dispatch.unmatchedAfter}, and no worker may take them: none serves their queue and has all
   * their labels. Published once by each leader for each queue and labels, until a worker comes that may take them.
   *
   * @param tasks how many wait
   */
  record TasksUnmatched(String queue, Map<String, String> labels, long tasks) implements Happening {
    public TasksUnmatched {
      labels = Map.copyOf(labels);
    }
  }
}
