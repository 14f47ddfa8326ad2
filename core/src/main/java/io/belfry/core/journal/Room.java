package io.belfry.core.journal;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What all lines of a worker that the store does not have yet may take together. What is written counts no more, though the last piece of
 * an attempt that runs stays in memory until it is full: that is bounded by how many attempts run.
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
