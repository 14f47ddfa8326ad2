package io.belfry.core.dispatch;

import io.belfry.model.job.Limit;

/**
 * What a task that a worker has been given takes up: a place at the worker, and one under its limit.
 *
 * @param limitKey filled in, as in {@link WaitingTask}
 */
public record Hold(String worker, String job, Limit limit, String limitKey) {
  boolean isLimited() {
    return limit.concurrency().isPresent() || limit.rate().isPresent();
  }
}
