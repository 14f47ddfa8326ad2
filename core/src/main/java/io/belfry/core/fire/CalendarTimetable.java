package io.belfry.core.fire;

import io.belfry.core.calendar.Calendar;
import io.belfry.model.missed.Timetable;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The instants of a timetable that fall on included days of a calendar. It skips excluded days by the day, not by the instant, and gives up
 * after {@value #YEARS_MAX} years of them: within that time every weekday has met every date, 29 February included, so an instant
 * not found by then does not exist. Threading: immutable.
 *
 * @param zone decides to which day an instant belongs
 * @param looks counts the days and instants that were checked
 */
record CalendarTimetable(Timetable all, Calendar calendar, ZoneId zone, LookLimit looks)
    implements Timetable {
  private static final int YEARS_MAX = 40;
  static final int DAYS_MAX = YEARS_MAX * 366;
  /** The cost of asking for an instant, in days looked up. */
  private static final int INSTANT = 100;

  CalendarTimetable(Timetable all, Calendar calendar, ZoneId zone) {
    this(all, calendar, zone, LookLimit.UNCOUNTED);
  }

  @Override
  public Optional<Instant> next(Instant after) {
    Optional<Instant> at = all.next(after);
    for (int days = 0; at.isPresent() && days < DAYS_MAX; ) {
      LocalDate day = day(at.get());
      OptionalInt ahead = calendar.daysAhead(day, DAYS_MAX - days);
      looks.at(INSTANT + ahead.orElse(DAYS_MAX - days));
      if (ahead.isEmpty()) {
        return Optional.empty();
      }
      if (ahead.getAsInt() == 0) {
        return at;
      }
      days += ahead.getAsInt();
      LocalDate found = day.plusDays(ahead.getAsInt());
      // Where clocks go back over midnight, a day can begin before an instant of the previous day.
      Instant morning = found.atStartOfDay(zone).toInstant().minusNanos(1);
      at = all.next(morning.isAfter(at.get()) ? morning : at.get());
    }
    return Optional.empty();
  }

  @Override
  public Optional<Instant> previous(Instant before) {
    Optional<Instant> at = all.previous(before);
    for (int days = 0; at.isPresent() && days < DAYS_MAX; ) {
      LocalDate day = day(at.get());
      OptionalInt back = calendar.daysBack(day, DAYS_MAX - days);
      looks.at(INSTANT + back.orElse(DAYS_MAX - days));
      if (back.isEmpty()) {
        return Optional.empty();
      }
      if (back.getAsInt() == 0) {
        return at;
      }
      days += back.getAsInt();
      LocalDate found = day.minusDays(back.getAsInt());
      Instant midnight = found.plusDays(1).atStartOfDay(zone).toInstant();
      at = all.previous(midnight.isBefore(at.get()) ? midnight : at.get());
    }
    return Optional.empty();
  }

  private LocalDate day(Instant at) {
    return LocalDate.ofInstant(at, zone);
  }
}
