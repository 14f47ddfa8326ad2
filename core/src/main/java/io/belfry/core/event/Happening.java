package io.belfry.core.event;

import io.belfry.core.record.Term;
import io.belfry.model.job.JobId;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.EndedAttempt;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.util.Map;

/** An event: something that has happened and is durable. */
public sealed interface Happening {

  /** An event of a task, which is as it was after the event; at its end without payload and data. */
  sealed interface OfTask extends Happening {
    Task task();
  }

  record TaskSubmitted(Task task) implements OfTask {}

  record TaskScheduled(Task task) implements OfTask {}

  record TaskStarted(Task task) implements OfTask {}

  record TaskCompleted(Task task) implements OfTask {
    /** How long the code of the successful attempt ran. */
    public Duration took() {
      return task.history().latest().flatMap(EndedAttempt::took).orElse(Duration.ZERO);
    }
  }

  record TaskFailed(Task task) implements OfTask {}

  record TaskCancelled(Task task) implements OfTask {}

  /** Pending again after an attempt that failed, was lost or was returned. */
  record TaskRetrying(Task task) implements OfTask {}

  /** Due instants were skipped. */
  record FiresSkipped(JobId job, SkippedRange range) implements Happening {}

  /** The worker has registered. Published again for every worker when another node becomes leader. */
  record WorkerJoined(String worker) implements Happening {}

  /** The worker's record is gone: it has left, or its lease has ended. */
  record WorkerLeft(String worker) implements Happening {}

  /** The worker is registered and healthy. */
  record WorkerOnline(String worker) implements Happening {}

  /** The worker is unhealthy, or no longer registered. */
  record WorkerOffline(String worker) implements Happening {}

  record LeaderChanged(Term term) implements Happening {}

  /** A report with an outdated fencing token was rejected. */
  record ReportRejected(TaskId task, long token) implements Happening {}

  /**
   * Tasks have waited for longer than {@code dispatch.unmatchedAfter}, and no worker may take them: none serves their queue and has all
   * their labels. Each leader publishes it once for each queue and labels, until a worker registers that may take them.
   *
   * @param tasks how many wait
   */
  record TasksUnmatched(String queue, Map<String, String> labels, long tasks) implements Happening {
    public TasksUnmatched {
      labels = Map.copyOf(labels);
    }
  }
}
