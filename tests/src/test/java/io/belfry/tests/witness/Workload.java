package io.belfry.tests.witness;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What a task of the witness does: it takes time, so that faults find it in the middle, and costs no processor, so that hundreds run at
 * once. Nobody waits for anything here that could be announced: the time itself is the work.
 *
 * <p>Threading: stateless.
 */
final class Workload {
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private Workload() {}

  /** Returns when the work is done. An interrupt ends it at once, as it would end a task that waits for its data. */
  static void carryOut(Duration length) throws InterruptedException {
    if (NEVER.await(length.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("nobody opens this latch");
    }
  }
}
