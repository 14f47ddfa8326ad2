package io.belfry.core.jobs;

import io.belfry.core.fire.LookLimit;
import io.belfry.model.Check;
import io.belfry.model.time.Time;
import java.time.Duration;

/**
 * Limits how far and how long one preview searches for included days. A job that fires once in forty years has fires thousands of years
 * ahead.
 *
 * <p>Threading: confined to its caller.
 */
final class PreviewLimit implements LookLimit {
  /** More than a hundred fires on 29 February take. */
  static final int LOOKS_MAX = 500_000;

  private static final Duration TIME_MAX = Duration.ofSeconds(1);

  private final Time time;
  private final long begun;
  private long looked;

  PreviewLimit(Time time) {
    this.time = time;
    this.begun = time.nanos();
  }

  @Override
  public void at(int count) {
    looked += count;
    Check.that(
        looked <= LOOKS_MAX && time.nanos() - begun <= TIME_MAX.toNanos(),
        "trigger.calendar",
        new Check.Plain("too rare"),
        "must let the job fire more often for a preview of so many fires, because a preview checks at most "
            + LOOKS_MAX + " days and instants",
        "Ask for fewer fires (count), or correct the calendar.");
  }
}
