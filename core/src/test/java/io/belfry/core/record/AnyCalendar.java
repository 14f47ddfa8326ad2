package io.belfry.core.record;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.calendar.Days;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.random.RandomGenerator;

/** Any calendar. */
final class AnyCalendar {
  private AnyCalendar() {}

  static Calendar calendar(RandomGenerator random) {
    return new Calendar(
        Any.name(random, 60),
        Any.flip(random) ? ZoneId.of("Asia/Shanghai") : ZoneId.of("+05:30"),
        Any.constant(random, Calendar.Effect.class),
        Any.list(
            random, 6, r -> new Calendar.Rule(Any.constant(r, Calendar.Effect.class), days(r))),
        Any.maybe(random, r -> Any.name(r, 60)));
  }

  static CalendarChange change(RandomGenerator random) {
    return new CalendarChange(Any.instant(random));
  }

  private static Days days(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> {
        var days = EnumSet.of(DayOfWeek.of(1 + random.nextInt(7)));
        days.add(DayOfWeek.of(1 + random.nextInt(7)));
        yield new Days.Weekly(days);
      }
      case 1 -> new Days.Dates(new HashSet<>(Any.list(random, 20, AnyCalendar::date)));
      case 2 -> {
        LocalDate from = date(random);
        yield new Days.Range(from, from.plusDays(random.nextInt(1000)));
      }
      default -> new Days.Yearly(new HashSet<>(Any.list(random, 20, r -> MonthDay.from(date(r)))));
    };
  }

  private static LocalDate date(RandomGenerator random) {
    return LocalDate.ofEpochDay(random.nextInt(-100_000, 100_000));
  }
}
