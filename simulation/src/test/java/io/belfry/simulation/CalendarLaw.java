package io.belfry.simulation;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.fire.Timetables;
import io.belfry.core.keys.CalendarKeys;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobVersion;
import io.belfry.model.job.Trigger;
import io.belfry.model.missed.Timetable;
import io.belfry.store.Write;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A job with a calendar fires on the days that its calendar has at that very step, on no other; and once its cursor was planned anew,
 * no instant is left out that the calendar has had since its change.
 *
 * <p>Threading: confined to its world.
 */
final class CalendarLaw {
  private static final String LAW = "I1 a calendar counts from its change on";

  private final Simulation simulation;
  private final Map<String, Calendar> calendars = new HashMap<>();
  private final Map<String, Instant> changes = new HashMap<>();
  private long fired;
  private long replanned;

  CalendarLaw(Simulation simulation) {
    this.simulation = simulation;
  }

  /** How many fires were found to be on a day of their calendar. */
  long fired() {
    return fired;
  }

  /** How many cursors were planned anew. */
  long replanned() {
    return replanned;
  }

  void read(Write write) {
    if (!write.key().space().equals(Keys.CALENDARS) || write.key().equals(Keys.CALENDAR_EDITION)) {
      return;
    }
    String name = CalendarKeys.name(write.key());
    boolean isCalendar = CalendarKeys.isCalendar(write.key());
    if (!(write instanceof Write.Put put)) {
      (isCalendar ? calendars : changes).remove(name);
    } else if (isCalendar) {
      calendars.put(name, Records.calendar(put.value()));
    } else {
      changes.put(name, Records.calendarChange(put.value()).since());
    }
  }

  /** The job's calendar, as it stands. */
  Optional<Calendar> of(Job job) {
    return Timetables.calendar(job)
        .map(name -> Objects.requireNonNull(calendars.get(name), name + " was deleted while in use")
            .resolve(base -> Optional.ofNullable(calendars.get(base))));
  }

  /** Whether the job's cursor may not have been planned anew since a change of its calendar. */
  boolean isPending(Job job) {
    return since(job).isPresent();
  }

  private Optional<Instant> since(Job job) {
    Optional<Instant> oldest = Optional.empty();
    Optional<String> at = Timetables.calendar(job);
    while (at.isPresent()) {
      Optional<Instant> here = Optional.ofNullable(changes.get(at.get()));
      if (here.isPresent() && (oldest.isEmpty() || here.get().isBefore(oldest.get()))) {
        oldest = here;
      }
      at = Optional.ofNullable(calendars.get(at.get())).flatMap(Calendar::base);
    }
    return oldest;
  }

  void onIncludedDays(EngineStep step, Job job, Set<Instant> fires) {
    of(job).ifPresent(calendar -> {
      for (Instant at : fires) {
        fired++;
        if (!calendar.includes(day(job, calendar, at))) {
          throw simulation
              .world()
              .violation(LAW, step.by() + " fired " + job.id() + " on an excluded day: " + at);
        }
      }
    });
  }

  /** Whether the instant's day is not one of the calendar's any more, by a change after which the cursor is still to be planned. */
  boolean tookOut(Job job, Instant at) {
    return of(job)
            .filter(calendar -> !calendar.includes(day(job, calendar, at)))
            .isPresent()
        && isPending(job);
  }

  /** A cursor that moves without any outcome passes over nothing that the calendar has. */
  void leavesNothingOut(EngineStep step, Job job, Timetable times, Cursor before, Cursor after) {
    Optional<Instant> since = since(job);
    if (since.isEmpty() || !job.enabled()) {
      return;
    }
    replanned++;
    Instant updated = job.saved().map(JobVersion::updated).orElseThrow();
    Instant from = since.get().isAfter(updated) ? since.get() : updated;
    Instant behind = before.last().filter(from::isBefore).orElse(from);
    Optional<Instant> first = times.next(behind);
    if (first.isPresent() && after.next().filter(at -> !at.isAfter(first.get())).isEmpty()) {
      throw simulation
          .world()
          .violation(
              LAW,
              step.by() + " moved " + job.id() + " from " + before + " to " + after + " over "
                  + first.get());
    }
  }

  /** Nothing has changed for long: all is done that was to be. */
  void checkDone() {
    if (!changes.isEmpty()) {
      throw simulation
          .world()
          .violation("I7 everything recovers", "changes of calendars are left: " + changes);
    }
  }

  private static LocalDate day(Job job, Calendar calendar, Instant at) {
    ZoneId zone = job.trigger() instanceof Trigger.Cron cron ? cron.zone() : calendar.zone();
    return LocalDate.ofInstant(at, zone);
  }
}
