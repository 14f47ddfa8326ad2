package io.belfry.library;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** What is done once, whoever comes first; the others wait for it. Threading: safe. */
final class End {
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CountDownLatch done = new CountDownLatch(1);

  void once(Runnable ending) {
    if (begun.compareAndSet(false, true)) {
      try {
        ending.run();
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
