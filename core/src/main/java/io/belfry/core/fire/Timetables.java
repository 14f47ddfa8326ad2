package io.belfry.core.fire;

import io.belfry.core.calendar.Calendar;
import io.belfry.model.Check;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.JobVersion;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.missed.Timetable;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/** The fire times of a job's trigger: each kind as a timetable in both directions. Threading: stateless. */
public final class Timetables {
  private Timetables() {}

  /**
   * The instants at which the job is due, within its window and on the included days of its calendar. Empty for triggers that are not
   * only time-based: manual, after another job, and a fixed delay, whose next instant comes from {@link FixedDelay}.
   *
   * @param job as stored: {@code every} counts from its first save
   * @param calendar the one that the trigger names, {@linkplain Calendar#resolve resolved}
   */
  public static Timetable of(Job job, Optional<Calendar> calendar) {
    return of(job, calendar, LookLimit.UNCOUNTED);
  }

  /**
   * As above.
   *
   * @param looks counts how far it searches for included days
   */
  static Timetable of(Job job, Optional<Calendar> calendar, LookLimit looks) {
    return switch (job.trigger()) {
      case Trigger.Cron cron -> {
        var all = new CronTimetable(cron.read(job.id(), created(job)));
        yield within(all, cron.window(), calendar, Optional.of(cron.zone()), looks);
      }
      case Trigger.Every every
      when every.from() == Trigger.Every.From.START ->
        within(even(job, every), every.window(), calendar, Optional.empty(), looks);
      case Trigger.Every unused -> Listed.NOTHING;
      case Trigger.At at -> Listed.once(at.instant());
      case Trigger.After unused -> Listed.NOTHING;
      case Trigger.Manual unused -> Listed.NOTHING;
    };
  }

  /** How much later than scheduled a fire starts, from zero to {@code jitter}: deterministic, so every caller gets the same. */
  public static Duration offset(JobId job, Instant scheduled, Duration jitter) {
    return Jitter.offset(job, scheduled, jitter);
  }

  /** The name of the calendar that the job's trigger uses. */
  public static Optional<String> calendar(Job job) {
    return window(job.trigger()).flatMap(Window::calendar);
  }

  static Optional<Window> window(Trigger trigger) {
    return switch (trigger) {
      case Trigger.Cron cron -> Optional.of(cron.window());
      case Trigger.Every every -> Optional.of(every.window());
      case Trigger.At unused -> Optional.empty();
      case Trigger.After unused -> Optional.empty();
      case Trigger.Manual unused -> Optional.empty();
    };
  }

  /** The calendar that the window names; refused if it was not found. */
  static Optional<Calendar> named(Window window, Optional<Calendar> calendar) {
    return window
        .calendar()
        .map(name -> calendar.orElseThrow(() -> Check.refusal(
            "trigger.calendar",
            name,
            "must name a calendar that exists, because it decides on which days the job fires",
            "Save the calendar first, or remove it from the trigger.")));
  }

  private static Timetable within(
      Timetable all,
      Window window,
      Optional<Calendar> calendar,
      Optional<ZoneId> zone,
      LookLimit looks) {
    // The calendar is outermost, so that its search stops at the window's end.
    Timetable open = window.start().isEmpty() && window.end().isEmpty()
        ? all
        : new WindowTimetable(all, window.start(), window.end());
    return named(window, calendar)
        .<Timetable>map(days -> new CalendarTimetable(open, days, zone.orElse(days.zone()), looks))
        .orElse(open);
  }

  private static Timetable even(Job job, Trigger.Every every) {
    return every
        .window()
        .start()
        .map(start -> EvenTimetable.from(start, every.interval()))
        .orElseGet(() -> EvenTimetable.since(created(job), every.interval()));
  }

  private static Instant created(Job job) {
    return job.saved()
        .map(JobVersion::created)
        .orElseThrow(() -> new IllegalArgumentException(
            "job " + job.id() + " has no first save to count from: give it JobVersion.first(now)"));
  }
}
