package io.belfry.core.calendar;

import io.belfry.model.Check;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.MonthDay;
import java.util.EnumSet;
import java.util.Set;

/** A set of days that a rule matches. */
public sealed interface Days {

  /** How many dates it lists, which is what the limit counts. */
  int written();

  /** The same days every week. */
  record Weekly(Set<DayOfWeek> days) implements Days {
    public Weekly {
      Check.that(
          !days.isEmpty(),
          "calendar.weekly",
          days,
          "must name a day, because a rule without days has no effect",
          "Name days such as SAT and SUN, or leave the rule out.");
      days = Set.copyOf(days);
    }

    @Override
    public int written() {
      return days.size();
    }
  }

  /** Single days. */
  record Dates(Set<LocalDate> dates) implements Days {
    public Dates {
      dates = Set.copyOf(dates);
    }

    @Override
    public int written() {
      return dates.size();
    }
  }

  /** All days from the first to the last, both included. */
  record Range(LocalDate from, LocalDate to) implements Days {
    public Range {
      if (to.isBefore(from)) {
        throw Check.refusal(
            "calendar.range.to",
            to,
            "must not be before from (" + from + "), because a range runs forward",
            "Swap the two.");
      }
    }

    @Override
    public int written() {
      return 2;
    }
  }

  /** The same dates every year; 02-29 exists only in leap years. */
  record Yearly(Set<MonthDay> dates) implements Days {
    public Yearly {
      dates = Set.copyOf(dates);
    }

    @Override
    public int written() {
      return dates.size();
    }
  }

  Days MONDAY_TO_FRIDAY = new Weekly(EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY));
}
