package io.belfry.store;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts requests that have no answer yet, by the second in which they were sent, so that the age of the oldest is known without an
 * entry for each.
 *
 * <pre>
 *   head ─▶ second 17: 1 ─▶ second 21: 0 ─▶ second 22: 40 ◀─ current     seconds with 0 are dropped from the head
 * </pre>
 *
 * <p>Threading: safe; locks once a second. {@link #oldest} is exact to a second.
 */
final class CommitsInFlight {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** The requests that were sent within a second. */
  static final class Sent {
    final long atNanos;
    private final AtomicLong unanswered = new AtomicLong();

    Sent(long atNanos) {
      this.atNanos = atNanos;
    }

    void answered() {
      unanswered.decrementAndGet();
    }
  }

  private final Time time;
  private volatile Sent current;
  private final ConcurrentLinkedQueue<Sent> seconds = new ConcurrentLinkedQueue<>();

  CommitsInFlight(Time time) {
    this.time = time;
    this.current = new Sent(time.nanos());
    seconds.add(current);
  }

  /** Counts one more; the caller says when it is answered. */
  Sent send() {
    long now = time.nanos();
    Sent sent = current;
    if (now - sent.atNanos >= SECOND) {
      sent = nextSecond(now);
    }
    sent.unanswered.incrementAndGet();
    return sent;
  }

  private synchronized Sent nextSecond(long now) {
    if (now - current.atNanos >= SECOND) {
      current = new Sent(now);
      seconds.add(current);
      dropAnswered(now);
    }
    return current;
  }

  /** A second stays for a while after it was current, for a thread that was about to count in it. */
  private void dropAnswered(long now) {
    for (Sent head = seconds.peek();
        head != null && now - head.atNanos > 5 * SECOND && head.unanswered.get() == 0;
        head = seconds.peek()) {
      seconds.remove(head);
    }
  }

  long count() {
    long sum = 0;
    for (Sent each : seconds) {
      sum += each.unanswered.get();
    }
    return sum;
  }

  /** For how long the oldest has waited; zero if none waits. */
  Duration oldest() {
    long now = time.nanos();
    for (Sent each : seconds) {
      if (each.unanswered.get() > 0) {
        return Duration.ofNanos(Math.max(0, now - each.atNanos));
      }
    }
    return Duration.ZERO;
  }
}
