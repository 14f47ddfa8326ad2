package io.belfry.core.fire;

import io.belfry.core.calendar.Calendar;
import io.belfry.model.missed.Timetable;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Optional;

/**
 * The instants of a timetable that fall on the days of a calendar. It goes over excluded days by days, not by instants, and gives up
 * after {@link #YEARS_MAX} years of them: within that time every weekday has met every date, the 29th of February included, so what
 * has not come by then is not to be expected. Threading: immutable.
 *
 * @param zone says which day an instant belongs to
 */
record CalendarTimetable(Timetable all, Calendar calendar, ZoneId zone) implements Timetable {
  static final int YEARS_MAX = 40;
  private static final int DAYS_MAX = YEARS_MAX * 366;

  @Override
  public Optional<Instant> next(Instant after) {
    Optional<Instant> at = all.next(after);
    for (int days = 0; at.isPresent() && days < DAYS_MAX; ) {
      LocalDate day = day(at.get());
      LocalDate found = day;
      while (!calendar.includes(found) && days < DAYS_MAX) {
        found = found.plusDays(1);
        days++;
      }
      if (found.equals(day)) {
        return at;
      }
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
      LocalDate found = day;
      while (!calendar.includes(found) && days < DAYS_MAX) {
        found = found.minusDays(1);
        days++;
      }
      if (found.equals(day)) {
        return at;
      }
      Instant midnight = found.plusDays(1).atStartOfDay(zone).toInstant();
      at = all.previous(midnight.isBefore(at.get()) ? midnight : at.get());
    }
    return Optional.empty();
  }

  private LocalDate day(Instant at) {
    return LocalDate.ofInstant(at, zone);
  }
}
