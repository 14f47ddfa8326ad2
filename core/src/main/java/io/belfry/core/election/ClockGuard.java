package io.belfry.core.election;

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
  private Reading last;

  /**
   * What the wall clock said at a moment that the stopwatch cannot tell exactly: the process may stand still between two clocks.
   *
   * @param earliest the stopwatch before the calendar was read
   * @param latest and after that
   */
  private record Reading(long earliest, Instant wall, long latest) {
    static Reading of(Time time) {
      return new Reading(time.nanos(), time.wall(), time.nanos());
    }

    boolean follows(Reading before) {
      Duration moved = Duration.between(before.wall, wall);
      Duration atLeast = Duration.ofNanos(earliest - before.latest);
      Duration atMost = Duration.ofNanos(latest - before.earliest);
      return moved.compareTo(atLeast.minus(TOLERANCE)) >= 0
          && moved.compareTo(atMost.plus(TOLERANCE)) <= 0;
    }
  }

  public ClockGuard(Time time) {
    this.time = time;
    this.last = Reading.of(time);
  }

  /** Whether the calendar has gone as the stopwatch has since the last time this was asked. To be asked often. */
  public boolean isSteady() {
    Reading now = Reading.of(time);
    boolean steady = now.follows(last);
    last = now;
    return steady;
  }
}
