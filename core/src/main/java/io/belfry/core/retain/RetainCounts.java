package io.belfry.core.retain;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What the leader's housekeeping of history has met and dropped. Counted since the process began, also over several terms.
 *
 * <p>Threading: written by the leader's loop, read by anybody.
 */
public final class RetainCounts {
  final AtomicLong passedOver = new AtomicLong();

  /** How often a record was passed over by folding or trimming because it could not be read or processed. */
  public long recordsPassedOver() {
    return passedOver.get();
  }
}
