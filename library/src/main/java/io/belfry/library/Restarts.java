package io.belfry.library;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Restart policy of one part of a node: counts restarts, computes the backoff, and tells when there are too many for a healthy node.
 *
 * <p>Threading: safe.
 */
final class Restarts {
  private static final Duration WITHIN = Duration.ofMinutes(1);
  private static final int FEW = 5;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  private final Time time;
  private final Deque<Long> recent = new ArrayDeque<>();
  private long count;
  private Optional<Throwable> cause = Optional.empty();

  Restarts(Time time) {
    this.time = time;
  }

  /** Records a failure; returns the backoff before the restart. */
  synchronized Duration failed(Throwable why) {
    forget();
    recent.add(time.nanos());
    cause = Optional.of(why);
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(recent.size() - 1, 10));
    return pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
  }

  synchronized void restarted() {
    count++;
  }

  /** The number of restarts since the node was opened. */
  synchronized long count() {
    return count;
  }

  /** The last error, if the part failed more than five times within the last minute. */
  synchronized Optional<Throwable> tooMany() {
    forget();
    return recent.size() > FEW ? cause : Optional.empty();
  }

  private void forget() {
    long now = time.nanos();
    while (!recent.isEmpty() && now - recent.getFirst() > WITHIN.toNanos()) {
      recent.removeFirst();
    }
  }
}
