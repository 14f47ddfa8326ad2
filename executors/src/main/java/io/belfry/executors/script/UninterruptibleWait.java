package io.belfry.executors.script;

import io.belfry.model.time.Time;
import java.time.Duration;

/** Waits that an interruption does not shorten, each with a time limit. The interrupt flag is restored afterwards. Threading: stateless. */
final class UninterruptibleWait {
  /** Waits at most this long. Returns whether the event came. */
  @FunctionalInterface
  interface Wait {
    boolean within(long nanos) throws InterruptedException;
  }

  private UninterruptibleWait() {}

  /** Waits within the limit. Returns whether the event came. */
  static boolean await(Time time, Duration limit, Wait wait) {
    long until = time.nanos() + limit.toNanos();
    boolean interrupted = Thread.interrupted();
    try {
      long left = limit.toNanos();
      while (left > 0) {
        try {
          return wait.within(left);
        } catch (InterruptedException e) {
          interrupted = true;
        }
        left = until - time.nanos();
      }
      return false;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
