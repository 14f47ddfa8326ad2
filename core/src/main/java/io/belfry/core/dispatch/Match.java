package io.belfry.core.dispatch;

/**
 * A task matched with a worker, valid once the commit succeeds. Its slots at the worker and under its limit are already reserved.
 *
 * @param nanos the monotonic time of the match
 */
public record Match<T>(WaitingTask<T> task, String worker, long nanos) {
  /** The slots that {@link Dispatcher#ended} or {@link Dispatcher#released} frees when the attempt ends. */
  public Reservation hold() {
    return new Reservation(worker, task.job(), task.limit(), task.limitKey());
  }
}
