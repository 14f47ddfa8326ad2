package io.belfry.store.embedded;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes callers on a thread of its own, in order, so that the writer is already at the next sync while they are
 * woken. What waits is bounded by the batches away and by who waits for a lease.
 *
 * <p>Threading: safe.
 */
final class Answers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

  private static final long RETURN_MILLIS = 1;

  private final BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
  /** Only touched by the thread. */
  private boolean stopping;

  private final Thread thread = Thread.ofPlatform()
      .daemon()
      .inheritInheritableThreadLocals(false)
      .name("belfry-store-answers")
      .start(this::run);

  void give(Runnable answer) {
    waiting.add(answer);
  }

  /** Gives the answer and waits until it was taken, but not long. */
  void giveAndLetReturn(Runnable answer) {
    var taken = new CountDownLatch(1);
    waiting.add(() -> {
      try {
        answer.run();
      } finally {
        taken.countDown();
      }
    });
    try {
      boolean unused = taken.await(RETURN_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      LOG.warn("Somebody interrupted the store's writer; it goes on.");
    }
  }

  private void run() {
    while (!stopping) {
      try {
        waiting.take().run();
      } catch (InterruptedException e) {
        LOG.warn("A continuation of a commit interrupted the store's thread; it goes on.");
      } catch (RuntimeException | Error e) { // all other callers wait for this thread
        LOG.error("A continuation of a commit failed; it must not throw.", e);
      }
    }
  }

  /** Everything given before is answered first. */
  @Override
  public void close() {
    waiting.add(() -> stopping = true);
    Threads.join(thread);
  }
}
