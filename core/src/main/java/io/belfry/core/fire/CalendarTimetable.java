package io.belfry.core.fire;

import io.belfry.core.calendar.Calendar;
import io.belfry.model.missed.Timetable;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The instants of a timetable that fall on the days of a calendar. It goes over excluded days by days, not by instants, and gives up
 * after {@value #YEARS_MAX} years of them: within that time every weekday has met every date, the 29th of February included, so what
 * has not come by then is not to be expected. Threading: immutable.
 *
 * @param zone says which day an instant belongs to
 * @param looks hears of days and instants that were passed over
 */
record CalendarTimetable(Timetable all, Calendar calendar, ZoneId zone, Looks looks)
    implements Timetable {
  private static final int YEARS_MAX = 40;
  static final int DAYS_MAX = YEARS_MAX * 366;
  /** What asking for an instant costs, in days that are looked up. */
  private static final int INSTANT = 100;

  CalendarTimetable(Timetable all, Calendar calendar, ZoneId zone) {
    this(all, calendar, zone, Looks.UNCOUNTED);
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
      // Where clocks go back over midnight a day can begin before an instant of the day before it.
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
