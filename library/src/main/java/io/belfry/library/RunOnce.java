package io.belfry.library;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs something exactly once: the first caller runs it, and concurrent callers wait for it to finish. Threading: safe. */
final class RunOnce {
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CountDownLatch done = new CountDownLatch(1);

  void once(Runnable step) {
    if (begun.compareAndSet(false, true)) {
      try {
        step.run();
      } finally {
        done.countDown();
      }
      return;
    }
    try {
      done.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
