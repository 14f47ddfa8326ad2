package io.belfry.core.journal;

import java.util.concurrent.atomic.AtomicLong;

/** What all unwritten lines of a worker may take together. Threading: safe. */
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
