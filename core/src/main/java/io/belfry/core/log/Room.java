package io.belfry.core.log;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory limit for all lines of a worker that the store does not have yet. Written lines no longer count, although the last piece of
 * a running attempt stays in memory until it is full: that is bounded by the number of running attempts.
 *
 * <p>Threading: safe.
 */
final class Room {
  private final AtomicLong left;

  Room(long bytes) {
    left = new AtomicLong(bytes);
  }

  boolean take(int bytes) {
    if (left.addAndGet(-bytes) >= 0) {
      return true;
    }
    left.addAndGet(bytes);
    return false;
  }

  void giveBack(int bytes) {
    left.addAndGet(bytes);
  }
}
