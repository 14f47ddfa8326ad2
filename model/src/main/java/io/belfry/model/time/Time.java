package io.belfry.model.time;

import java.time.Instant;

/** The only access to the clock: wall time for due instants, monotonic time for durations. */
public interface Time {

  /** Wall-clock time: for due times and for display. May jump in either direction. */
  Instant wall();

  /** Monotonic time: for leases, timeouts and clock guards. Never goes back; only differences are meaningful. */
  long nanos();

  static Time system() {
    return SystemTime.INSTANCE;
  }
}
