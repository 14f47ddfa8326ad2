package io.belfry.store.redis;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of one store: none ends by an exception while the store is open, and none is left behind when it is closed.
 *
 * <p>Threading: safe.
 */
final class StoreThreads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StoreThreads.class);
  private static final long PAUSE_MILLIS = 200;

  private final String name;
  private final Time time;
  private final Set<Thread> members = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);

  StoreThreads(String name, Time time) {
    this.name = name;
    this.time = time;
  }

  /**
   * Runs until {@code work} returns. Work that throws is begun again: it must be a loop that can be.
   *
   * <p>A thread of the platform's own: a virtual one would wait for its turn behind those of callers, who may compute without end.
   */
  Thread start(String role, Runnable work) {
    Thread thread = Thread.ofPlatform()
        .daemon()
        .inheritInheritableThreadLocals(false) // whoever needs it first may be code of an attempt
        .name(name + "-" + role)
        .unstarted(() -> runUntilDone(role, work));
    members.add(thread);
    thread.start();
    return thread;
  }

  private void runUntilDone(String role, Runnable work) {
    boolean done = false;
    while (!done) {
      try {
        work.run();
        done = true;
      } catch (RuntimeException | Error e) {
        LOG.error("Redis: the {} thread met an unexpected error and begins again.", role, e);
        done = awaitClosed();
      }
    }
  }

  private boolean awaitClosed() {
    try {
      return closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // Nobody interrupts these threads: they end when the store is closed.
      return closed.getCount() == 0;
    }
  }

  void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    members.remove(thread);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Work that throws from now on is not begun again. */
  @Override
  public void close() {
    closed.countDown();
  }

  /**
   * Returns once all have ended, or when the patience is over; at once when called by one of them, because it cannot wait for itself. The operating
   * system looks up hosts for as long as it likes and cannot be told to stop: whoever waits for that ends when it is over.
   */
  void joinAll(Duration patience) {
    if (members.contains(Thread.currentThread())) {
      return;
    }
    long end = time.nanos() + patience.toNanos();
    boolean interrupted = false;
    for (Thread each : members) {
      interrupted |= joinUntil(end, each);
    }
    List<String> left =
        members.stream().filter(Thread::isAlive).map(Thread::getName).toList();
    if (!left.isEmpty()) {
      LOG.warn(
          "Redis: the store is closed, but {} still waits for a name server or a watcher that does not return, and ends when it does.",
          left);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether somebody interrupted us meanwhile. */
  private boolean joinUntil(long end, Thread thread) {
    boolean interrupted = false;
    for (long left = end - time.nanos(); left > 0 && thread.isAlive(); left = end - time.nanos()) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }
}
