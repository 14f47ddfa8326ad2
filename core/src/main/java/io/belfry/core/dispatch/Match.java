package io.belfry.core.dispatch;

/**
 * This task goes to that worker, once the commit says so. Its place there and under its limit are taken already.
 *
 * @param nanos when, by the stopwatch, it was made
 */
public record Match<T>(WaitingTask<T> task, String worker, long nanos) {
  /** What {@link Dispatcher#ended} or {@link Dispatcher#released} gives back one day. */
  public Hold hold() {
    return new Hold(worker, task.job(), task.limit(), task.limitKey());
  }
}
