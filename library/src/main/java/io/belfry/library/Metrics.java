package io.belfry.library;

import io.belfry.core.record.Histogram;
import java.time.Duration;

/**
 * Metrics of the namespace. Counters cover the time since this {@link Belfry} was opened during which this node was the leader, so the counters
 * of all nodes add up. Gauges have the same value on every node.
 *
 * @param tasksTotal number of tasks created by fires, triggers and submissions
 * @param tasksPending number of waiting tasks, for their start time or for a worker
 * @param tasksRunning number of tasks assigned to workers or running
 * @param tasksCompleted number of tasks that succeeded
 * @param tasksFailed number of tasks that failed after all retries
 * @param tasksCancelled number of tasks that were cancelled
 * @param tasksRetried number of attempts followed by a retry
 * @param firesSkipped number of fires that were skipped, each for a recorded reason
 * @param workersOnline number of healthy workers with a lease
 * @param workersOffline number of workers seen within the last day that are not online
 * @param taskThroughput tasks finished per second, over the last minute or since the start
 * @param schedulerUptime time since this {@link Belfry} was opened
 * @param elections number of leader terms of the namespace so far
 * @param attemptsRunning number of attempts running in this process
 * @param eventsDropped number of events dropped because a callback was too slow, or lost on the way from the leader
 * @param dispatch counts of assignments
 * @param schedulingDelay time from when a task was due until its first assignment to a worker
 * @param runTime run time of successful attempts
 * @param heartbeatDelay age of the oldest worker heartbeat
 * @param recordsSkipped number of times this node skipped a record that it could not read, because it is damaged or has a newer version;
 *     the log names each
 * @param counting whether {@link Settings#metrics} is enabled on this node; if not, all counters and times are 0
 */
public record Metrics(
    long tasksTotal,
    long tasksPending,
    long tasksRunning,
    long tasksCompleted,
    long tasksFailed,
    long tasksCancelled,
    long tasksRetried,
    long firesSkipped,
    long workersOnline,
    long workersOffline,
    double taskThroughput,
    Duration schedulerUptime,
    long elections,
    long attemptsRunning,
    long eventsDropped,
    Dispatch dispatch,
    Times schedulingDelay,
    Times runTime,
    Duration heartbeatDelay,
    long recordsSkipped,
    boolean counting) {

  /** Ratio of succeeded tasks to those that succeeded or failed; 1 if there are none. */
  public double successRate() {
    return share(tasksCompleted, tasksCompleted + tasksFailed, 1);
  }

  /** Ratio of failed tasks to those that succeeded or failed; 0 if there are none. */
  public double failureRate() {
    return share(tasksFailed, tasksCompleted + tasksFailed, 0);
  }

  /** Ratio of attempts followed by a retry to all finished attempts; 0 if there are none. */
  public double retryRate() {
    return share(tasksRetried, tasksCompleted + tasksFailed + tasksRetried, 0);
  }

  private static double share(long part, long whole, double ofNothing) {
    return whole == 0 ? ofNothing : part / (double) whole;
  }

  /**
   * Counts of assignments.
   *
   * @param assigned number of attempts assigned to a worker
   * @param undone number of those that were taken back before their code started, because the worker died or stopped
   */
  public record Dispatch(long assigned, long undone) {
    /** Ratio of assignments whose code started; 1 if there are none. */
    public double successRate() {
      return 1 - share(undone, assigned, 0);
    }
  }

  /** Percentiles with an error of at most 6.25 %; zero if there are no values. */
  public record Times(long count, Duration p50, Duration p95, Duration p99) {
    static Times of(Histogram histogram) {
      return new Times(
          histogram.count(), at(histogram, 0.5), at(histogram, 0.95), at(histogram, 0.99));
    }

    private static Duration at(Histogram histogram, double part) {
      return histogram.quantile(part).orElse(Duration.ZERO);
    }
  }
}
