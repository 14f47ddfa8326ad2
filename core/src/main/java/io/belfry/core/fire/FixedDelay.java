package io.belfry.core.fire;

import io.belfry.core.calendar.Calendar;
import io.belfry.model.job.Job;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An interval that counts from the end of the previous task. It has no timetable: the next instant is known only when a task has ended.
 * Threading: immutable.
 */
public record FixedDelay(Duration interval, Window window, Optional<Calendar> calendar) {

  /** The fixed delay of the job's trigger, if it is one. */
  public static Optional<FixedDelay> of(Job job, Optional<Calendar> calendar) {
    return job.trigger() instanceof Trigger.Every every && every.from() == Trigger.Every.From.END
        ? Optional.of(new FixedDelay(
            every.interval(), every.window(), Timetables.named(every.window(), calendar)))
        : Optional.empty();
  }

  /**
   * The next due instant after a task has ended: one interval later, or at the start of the window; on an excluded day, at the start of
   * the next included one. Empty if the window has ended by then.
   */
  public Optional<Instant> afterEnd(Instant end) {
    return firstFrom(end.plus(interval));
  }

  /** The first due instant of a job that has not run: the start of the window, or one interval from now. */
  Optional<Instant> first(Instant now) {
    return window
        .start()
        .filter(start -> start.isAfter(now))
        .map(this::firstFrom)
        .orElseGet(() -> afterEnd(now));
  }

  boolean includes(Instant at) {
    return calendar.isEmpty()
        || calendar.get().includes(LocalDate.ofInstant(at, calendar.get().zone()));
  }

  /** The first possible instant at or after this one. */
  Optional<Instant> firstFrom(Instant earliest) {
    Instant from = window.start().filter(start -> start.isAfter(earliest)).orElse(earliest);
    Optional<Instant> open =
        calendar.isEmpty() ? Optional.of(from) : included(calendar.get(), from);
    return open.map(Millis::ceil)
        .filter(Millis::canNameTask)
        .map(Instant::ofEpochMilli)
        .filter(at -> window.end().isEmpty() || at.isBefore(window.end().get()));
  }

  private static Optional<Instant> included(Calendar calendar, Instant from) {
    LocalDate day = LocalDate.ofInstant(from, calendar.zone());
    if (calendar.includes(day)) {
      return Optional.of(from);
    }
    OptionalInt ahead = calendar.daysAhead(day, CalendarTimetable.DAYS_MAX);
    return ahead.isEmpty()
        ? Optional.empty()
        : Optional.of(
            day.plusDays(ahead.getAsInt()).atStartOfDay(calendar.zone()).toInstant());
  }
}
