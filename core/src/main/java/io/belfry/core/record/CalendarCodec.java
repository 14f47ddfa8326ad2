package io.belfry.core.record;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.calendar.Days;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.Month;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Calendars. Dates are written in order, each as its distance from the previous one. Threading: stateless. */
final class CalendarCodec {
  private static final int WEEKLY = 0;
  private static final int DATES = 1;
  private static final int RANGE = 2;
  private static final int YEARLY = 3;
  private static final int BASE = 1;

  private static final Calendar.Effect[] EFFECTS = Calendar.Effect.values();
  private static final DayOfWeek[] WEEKDAYS = DayOfWeek.values();
  private static final Month[] MONTHS = Month.values();

  private CalendarCodec() {}

  static void write(Writer out, Calendar calendar) {
    out.number(calendar.base().isPresent() ? BASE : 0);
    out.text(calendar.name());
    out.text(calendar.zone().getId());
    out.constant(calendar.otherwise());
    calendar.base().ifPresent(out::text);
    out.number(calendar.rules().size());
    for (Calendar.Rule rule : calendar.rules()) {
      int begun = out.begin();
      out.constant(rule.effect());
      writeDays(out, rule.days());
      out.end(begun);
    }
  }

  static Calendar read(Reader in) {
    boolean base = in.flags(BASE) != 0;
    String name = in.text();
    ZoneId zone = ZoneId.of(in.text());
    Calendar.Effect otherwise = in.constant(EFFECTS);
    Optional<String> on = base ? Optional.of(in.text()) : Optional.empty();
    return new Calendar(name, zone, otherwise, in.list(CalendarCodec::readRule), on);
  }

  static void writeChange(Writer out, CalendarChange change) {
    out.instant(change.since());
  }

  static CalendarChange readChange(Reader in) {
    return new CalendarChange(in.instant());
  }

  private static Calendar.Rule readRule(Reader in) {
    int outer = in.enter();
    var rule = new Calendar.Rule(in.constant(EFFECTS), readDays(in));
    in.leave(outer);
    return rule;
  }

  private static void writeDays(Writer out, Days days) {
    switch (days) {
      case Days.Weekly(Set<DayOfWeek> weekdays) -> {
        out.number(WEEKLY);
        out.constants(weekdays);
      }
      case Days.Dates(Set<LocalDate> dates) -> {
        out.number(DATES);
        out.number(dates.size());
        long before = 0;
        for (LocalDate date : new TreeSet<>(dates)) {
          out.signed(date.toEpochDay() - before);
          before = date.toEpochDay();
        }
      }
      case Days.Range(LocalDate from, LocalDate to) -> {
        out.number(RANGE);
        out.signed(from.toEpochDay());
        out.signed(to.toEpochDay() - from.toEpochDay());
      }
      case Days.Yearly(Set<MonthDay> dates) -> {
        out.number(YEARLY);
        out.number(dates.size());
        for (MonthDay date : new TreeSet<>(dates)) {
          out.constant(date.getMonth());
          out.number(date.getDayOfMonth());
        }
      }
    }
  }

  private static Days readDays(Reader in) {
    int tag = in.integer();
    return switch (tag) {
      case WEEKLY -> new Days.Weekly(in.constants(DayOfWeek.class, WEEKDAYS));
      case DATES -> readDates(in);
      case RANGE -> {
        long from = in.signed();
        yield new Days.Range(
            LocalDate.ofEpochDay(from), LocalDate.ofEpochDay(Math.addExact(from, in.signed())));
      }
      case YEARLY ->
        new Days.Yearly(new LinkedHashSet<>(
            in.list(each -> MonthDay.of(each.constant(MONTHS), each.integer()))));
      default -> throw in.damaged("days of the unknown kind " + tag);
    };
  }

  private static Days readDates(Reader in) {
    var dates = new LinkedHashSet<LocalDate>();
    long at = 0;
    for (int left = in.count(); left > 0; left--) {
      at = Math.addExact(at, in.signed());
      dates.add(LocalDate.ofEpochDay(at));
    }
    return new Days.Dates(dates);
  }
}
