package io.belfry.core.calendar;

import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.temporal.ChronoUnit;
import java.util.SortedMap;
import java.util.TreeMap;

/** Collects the holidays of a file while it is read, within limits. Threading: confined to the call. */
final class HolidayBook {
  private static final int NAME_CHARS_MAX = 200;
  private static final int YEAR_MAX = 9999;

  private final SortedMap<LocalDate, String> dates = new TreeMap<>();
  private final SortedMap<MonthDay, String> yearly = new TreeMap<>();

  /**
   * @param last the last day, inclusive
   */
  void add(int line, LocalDate first, LocalDate last, String name) {
    checkSpan(line, first, last);
    for (LocalDate day = first; !day.isAfter(last); day = day.plusDays(1)) {
      dates.putIfAbsent(day, clip(name));
    }
    checkSize(line);
  }

  void addYearly(int line, LocalDate first, LocalDate last, String name) {
    checkSpan(line, first, last);
    if (ChronoUnit.DAYS.between(first, last) > 365) {
      throw BadLine.at(
          line, "a yearly event must be shorter than a year, because it would cover every day.");
    }
    for (LocalDate day = first; !day.isAfter(last); day = day.plusDays(1)) {
      addYearly(line, MonthDay.from(day), name);
    }
  }

  void addYearly(int line, MonthDay day, String name) {
    yearly.putIfAbsent(day, clip(name));
    checkSize(line);
  }

  Holidays done() {
    return new Holidays(dates, yearly);
  }

  private static void checkSpan(int line, LocalDate first, LocalDate last) {
    if (last.isBefore(first)) {
      throw BadLine.at(
          line,
          "the last day (" + last + ") must not be before the first (" + first
              + "). Swap the two.");
    }
    if (first.getYear() < 0 || last.getYear() > YEAR_MAX) {
      throw BadLine.at(line, "the year must have four digits.");
    }
    if (ChronoUnit.DAYS.between(first, last) >= Calendar.DATES_MAX) {
      throw tooMany(line);
    }
  }

  private void checkSize(int line) {
    if (dates.size() + yearly.size() > Calendar.DATES_MAX) {
      throw tooMany(line);
    }
  }

  private static InvalidException tooMany(int line) {
    return BadLine.at(
        line,
        "the file must hold at most " + Calendar.DATES_MAX
            + " days, because the leader keeps calendars in memory. Remove past years.");
  }

  private static String clip(String name) {
    return Check.clip(name, NAME_CHARS_MAX);
  }
}
