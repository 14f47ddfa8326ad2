package io.belfry.model.job;

import io.belfry.model.Check;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a repeating trigger is active, and the jitter of its fires.
 *
 * @param start no fire before it; {@code every} counts from it
 * @param end no fire at or after it
 * @param calendar name of the calendar that includes or excludes days
 * @param jitter each fire starts up to this much later; its scheduled instant does not change
 */
public record Window(
    Optional<Instant> start, Optional<Instant> end, Optional<String> calendar, Duration jitter) {
  private static final Duration JITTER_MAX = Duration.ofDays(1);

  public static final Window ALWAYS =
      new Window(Optional.empty(), Optional.empty(), Optional.empty(), Duration.ZERO);

  public Window {
    Check.between(
        "trigger.jitter",
        jitter,
        Duration.ZERO,
        JITTER_MAX,
        "a longer delay moves a fire to another day");
    calendar.ifPresent(name -> Check.name("trigger.calendar", name, JobId.MAX_CHARS));
    if (start.isPresent() && end.isPresent() && !start.get().isBefore(end.get())) {
      throw Check.refusal(
          "trigger.end",
          end.get(),
          "must lie after trigger.start (" + start.get() + "), because the job would never fire",
          "Move the end, or leave it out.");
    }
  }

  public Window from(Instant newStart) {
    return new Window(Optional.of(newStart), end, calendar, jitter);
  }

  public Window until(Instant newEnd) {
    return new Window(start, Optional.of(newEnd), calendar, jitter);
  }

  public Window on(String newCalendar) {
    return new Window(start, end, Optional.of(newCalendar), jitter);
  }

  public Window spread(Duration newJitter) {
    return new Window(start, end, calendar, newJitter);
  }
}
