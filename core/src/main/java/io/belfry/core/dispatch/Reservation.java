package io.belfry.core.dispatch;

import io.belfry.model.job.Limit;

/**
 * The slots that an assigned task takes: one at the worker, and one under its limit.
 *
 * @param limitKey with placeholders filled in, as in {@link WaitingTask}
 */
public record Reservation(String worker, String job, Limit limit, String limitKey) {
  boolean isLimited() {
    return limit.concurrency().isPresent() || limit.rate().isPresent();
  }
}
