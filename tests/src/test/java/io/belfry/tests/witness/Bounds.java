package io.belfry.tests.witness;

import java.time.Duration;

/**
 * What a run declares to be soon enough.
 *
 * @param late from due to start while nothing is disturbed, nor was within {@code recovery}
 * @param recovery the same around a disturbance; the time in which something was away is not counted
 */
record Bounds(Duration late, Duration recovery) {
  static final Bounds USUAL = new Bounds(Duration.ofSeconds(5), Duration.ofSeconds(30));

  /** How far the clocks of bodies and of nodes may be apart. */
  static final Duration CLOCK_ERROR = Duration.ofMillis(100);
  /** From the end of a body to its accepted report. */
  static final Duration REPORT = Duration.ofSeconds(2);
  /** From an acknowledged cancel on, a task that waited may begin for so long, not after. */
  static final Duration CANCEL = Duration.ofSeconds(2);
  /** How soon after it stood still a process has written the STARTs of what it had begun before. */
  static final Duration WAKING = Duration.ofMillis(500);
  /** How long a process that is stopped lets its tasks finish; a little less than it does. */
  static final Duration DRAIN = Duration.ofMillis(9500);
  /** A pause shorter than this does not cost a worker its lease of four seconds. */
  static final Duration LEASE = Duration.ofSeconds(3);

  Bounds late(Duration to) {
    return new Bounds(to, recovery);
  }
}
