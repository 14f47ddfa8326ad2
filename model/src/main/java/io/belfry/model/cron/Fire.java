package io.belfry.model.cron;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;

/**
 * One fire in a preview.
 *
 * @param time when it fires, in local time
 * @param nominal the local time that the expression names; differs from {@code time} only if moved
 * @param mark how a clock change affects this fire
 * @param clockChanged the clocks have changed since the previous fire (for the first one: since the
 *     instant the preview starts after)
 */
public record Fire(ZonedDateTime time, LocalDateTime nominal, Mark mark, boolean clockChanged) {

  /** How a clock change affects a fire. */
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
