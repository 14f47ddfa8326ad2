package io.belfry.executors.script;

import io.belfry.model.time.Time;
import java.time.Duration;

/** Waits that interruption does not shorten, each with a limit. The thread is interrupted again afterwards. Threading: stateless. */
final class UninterruptibleWait {
  /** Whether it came within this time. */
  @FunctionalInterface
  interface Wait {
    boolean within(long nanos) throws InterruptedException;
  }

  private UninterruptibleWait() {}

  /** Whether it came within the limit. */
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
