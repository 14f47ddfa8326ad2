package io.belfry.server.connection;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Measures the arrival of one request body. Only time in which the server waits for the body counts, because a slow handler is not the client's
 * fault.
 *
 * <p>Threading: safe; its own lock.
 */
final class RequestBody {
  private final long begun;
  private long bytes;
  private long waitedNanos;
  private long waitingSince;
  private long discardUntil;
  private boolean discarded;
  private @Nullable Runnable waiting;
  private @Nullable CloseReason failure;

  RequestBody(long now) {
    this.begun = now;
  }

  /** Waits for more; {@code resume} is run once, by {@link #arrived} or {@link #fail}. */
  synchronized void await(Runnable resume, long now) {
    waiting = resume;
    waitingSince = now;
  }

  /** Discards the rest of the body, which fails after that instant. */
  synchronized void discardUntil(long nanos) {
    discarded = true;
    discardUntil = nanos;
  }

  synchronized boolean isDiscarded() {
    return discarded;
  }

  /** The total time waited for the body so far. */
  synchronized long waitedNanos() {
    return waitedNanos;
  }

  synchronized void count(int more) {
    bytes += more;
  }

  /** More of the body, or its end, has arrived: continues reading, unless it has failed meanwhile. */
  void arrived(long now) {
    Runnable resume;
    synchronized (this) {
      resume = waiting;
      waiting = null;
      waitedNanos += resume == null ? 0 : now - waitingSince;
    }
    if (resume != null) {
      resume.run();
    }
  }

  void fail(CloseReason reason) {
    Runnable resume;
    synchronized (this) {
      if (failure != null) {
        return;
      }
      failure = reason;
      resume = waiting;
      waiting = null;
    }
    if (resume != null) {
      resume.run();
    }
  }

  synchronized Optional<CloseReason> failure() {
    return Optional.ofNullable(failure);
  }

  synchronized Optional<CloseReason> failing(ConnectionLimits limits, long now) {
    if (waiting == null || failure != null) {
      return Optional.empty();
    }
    if (discarded && now - discardUntil > 0) {
      return Optional.of(CloseReason.REFUSED_BODY);
    }
    if (now - begun > limits.body().toNanos()) {
      return Optional.of(CloseReason.BODY_TIMEOUT);
    }
    long waited = waitedNanos + now - waitingSince;
    boolean slow =
        waited > ConnectionLimits.GRACE.toNanos() && bytes < limits.bodyRate() * (waited / 1e9);
    return slow ? Optional.of(CloseReason.SLOW_BODY) : Optional.empty();
  }
}
