package io.belfry.tests.witness;

import java.time.Duration;
import java.time.Instant;

/**
 * A time in which a process, or the engine, could not do what it should.
 *
 * @param who the process; or {@link #ENGINE}, which all depend on
 * @param from nothing had happened to it before this
 * @param gone from this on it did nothing; the same as {@code from} unless it was given time to end
 * @param back from this on it was there again
 */
record Outage(String who, Kind kind, Instant from, Instant gone, Instant back) {
  static final String ENGINE = "engine";

  enum Kind {
    /** kill -9. */
    KILLED,
    /** SIGTERM. */
    STOPPED,
    /** SIGSTOP. */
    PAUSED,
    /** Its connections to the engine were cut, or carried nothing in one direction or both. */
    CUT,
    /** The machine had no time for it, or its store did not answer: it says so itself. */
    STALLED
  }

  boolean strikes(String process) {
    return who.equals(process) || who.equals(ENGINE);
  }

  Duration length() {
    return Duration.between(from, back);
  }

  /** Whether it was under way at some moment from one instant to the other. */
  boolean touches(Instant begin, Instant end) {
    return !from.isAfter(end) && !back.isBefore(begin);
  }
}
