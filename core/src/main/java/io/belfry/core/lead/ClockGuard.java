package io.belfry.core.lead;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.time.Instant;

/**
 * Notices that the calendar was set: it moved, and the stopwatch did not. A clock that drifts slowly is followed.
 *
 * <p>Threading: confined to its loop.
 */
public final class ClockGuard {
  private static final Duration TOLERANCE = Duration.ofSeconds(1);

  private final Time time;
  private Instant wall;
  private long nanos;

  public ClockGuard(Time time) {
    this.time = time;
    this.wall = time.wall();
    this.nanos = time.nanos();
  }

  /** Whether the calendar has gone as the stopwatch has since the last time this was asked. To be asked often. */
  public boolean isSteady() {
    Instant now = time.wall();
    long at = time.nanos();
    Duration apart = Duration.between(wall, now).minusNanos(at - nanos).abs();
    wall = now;
    nanos = at;
    return apart.compareTo(TOLERANCE) <= 0;
  }
}
