package io.belfry.core.worker;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts how often the workers of a process lost their lease, and how many attempts they stopped because of that. A worker counts its lease
 * as lost as soon as it could not renew it in time, shortly before it expires.
 *
 * <p>Threading: safe.
 */
public final class LeaseLosses {
  private final LongAdder leases = new LongAdder();
  private final LongAdder attempts = new LongAdder();

  void lost(long stopped) {
    leases.increment();
    attempts.add(stopped);
  }

  public long leases() {
    return leases.sum();
  }

  public long attemptsStopped() {
    return attempts.sum();
  }
}
