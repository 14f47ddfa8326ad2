package io.belfry.library;

import io.belfry.core.record.Histogram;
import java.time.Duration;

/**
 * How things are. What is counted is counted since this Belfry was opened, and is what happened while this node led: the figures of all
 * nodes add up to those of the namespace. What is there now is the same on every node.
 *
 * @param tasksTotal tasks that came into being: fired, triggered, submitted
 * @param tasksPending tasks that wait now, for their time or for a worker
 * @param tasksRunning tasks that workers have now, begun or not
 * @param tasksCompleted tasks that ended well
 * @param tasksFailed tasks that ended badly, retries included
 * @param tasksCancelled tasks that ended because somebody asked for it
 * @param tasksRetried attempts after which the task waited again
 * @param firesSkipped due instants that were not fired, for a recorded reason
 * @param workersOnline workers that have a lease now and are healthy
 * @param workersOffline workers that this node has heard of within a day and that are not online now
 * @param taskThroughput tasks that ended in a second, over the last minute or since the start
 * @param schedulerUptime since this Belfry was opened
 * @param elections leaders that the namespace has had so far
 * @param attemptsRunning attempts whose code runs in this process now
 * @param eventsDropped events that callbacks were too slow for, or that did not arrive from the leader
 * @param dispatch how assignments went
 * @param schedulingDelay from when tasks were due until they were given to a worker, for the first time
 * @param runTime of the attempts with which tasks succeeded
 * @param heartbeatDelay since the last heartbeat of the worker that has been silent for longest
 * @param recordsPassedOver how often this node, asked for many records, came upon one that it cannot read: damaged, or of a newer
 *     version. Its log names each
 * @param counting whether this node counts what happens; if {@link Settings#metrics} is off, what is counted of tasks, fires, workers and
 *     times is 0 here and means nothing
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
    long recordsPassedOver,
    boolean counting) {

  /** Share of tasks that succeeded, of those that succeeded or failed; 1 if there were none. */
  public double successRate() {
    return share(tasksCompleted, tasksCompleted + tasksFailed, 1);
  }

  /** Share of tasks that failed, of those that succeeded or failed; 0 if there were none. */
  public double failureRate() {
    return share(tasksFailed, tasksCompleted + tasksFailed, 0);
  }

  /** Share of attempts that were followed by another, of those that ended; 0 if there were none. */
  public double retryRate() {
    return share(tasksRetried, tasksCompleted + tasksFailed + tasksRetried, 0);
  }

  private static double share(long part, long whole, double ofNothing) {
    return whole == 0 ? ofNothing : part / (double) whole;
  }

  /**
   * How assignments went.
   *
   * @param assigned attempts that were given to a worker
   * @param undone those of them that came back although their code had not begun: the worker was lost, or stopped
   */
  public record Dispatch(long assigned, long undone) {
    /** Share of assignments that did not come back unbegun; 1 if there were none. */
    public double successRate() {
      return 1 - share(undone, assigned, 0);
    }
  }

  /** Percentiles, at most 6.25 % off; zero if there were none. */
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
