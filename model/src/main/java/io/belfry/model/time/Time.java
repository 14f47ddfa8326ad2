package io.belfry.model.time;

import java.time.Instant;

/** The only door to the clock. Two readings, because they answer two different questions. */
public interface Time {

  /** What the calendar says: for due times and for people. May jump either way. */
  Instant wall();

  /** A stopwatch: for leases, timeouts and trust. Never goes back; only differences mean anything. */
  long nanos();

  static Time system() {
    return SystemTime.INSTANCE;
  }
}
