package io.belfry.model.cron;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;

/**
 * One line of a preview.
 *
 * @param time when it fires, on the clocks of the zone
 * @param nominal the clock time that the expression names; differs from {@code time} only if moved
 * @param mark what a clock change does to this fire
 * @param clockChanged the clocks have changed since the line before (for the first line: since the
 *     instant the preview starts after)
 */
public record Fire(ZonedDateTime time, LocalDateTime nominal, Mark mark, boolean clockChanged) {

  /** What a clock change does to a fire. */
  public enum Mark {
    /** Nothing: the clock shows this time exactly once that day. */
    PLAIN,
    /** The clocks jump over the nominal time; it fires at the first instant after the gap. */
    MOVED,
    /** The clock shows this time twice that day, and this is the first time. */
    FIRST_OF_TWO,
    /** The clock shows this time twice that day, and this is the second time. */
    SECOND_OF_TWO
  }

  public Instant at() {
    return time.toInstant();
  }

  public DayOfWeek weekday() {
    return time.getDayOfWeek();
  }
}
