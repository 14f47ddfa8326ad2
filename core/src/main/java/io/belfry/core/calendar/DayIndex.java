package io.belfry.core.calendar;

import io.belfry.core.calendar.Calendar.Effect;
import io.belfry.core.calendar.Calendar.Rule;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The rules of a calendar indexed by day, so that the last rule that matches a day is looked up, not searched for, however many
 * rules there are. Planning fires goes over up to forty years of days, on the leader's loop, before it gives up.
 *
 * <pre>
 *   weekdays    [7]      ─┐
 *   yearly days [12×31]  ─┤  the last rule of each kind ──▶ the highest of the four decides
 *   dates       sorted   ─┤
 *   ranges      sorted   ─┘  split where one begins or ends
 * </pre>
 *
 * <p>Threading: immutable.
 */
final class DayIndex {
  private static final int NONE = -1;
  private static final int MONTHS = 12;
  private static final int DAYS_OF_MONTH = 31;
  private static final int DAYS_OF_WEEK = DayOfWeek.values().length;
  /** Epoch day 0 is a Thursday. */
  private static final int FIRST_DAY = DayOfWeek.THURSDAY.getValue() - 1;
  /** Bits that hold the number of a rule, of which there are at most {@link Calendar#RULES_MAX}. */
  private static final int RULE_BITS = 10;

  private final boolean otherwise;
  private final boolean[] includes;
  private final int[] weekly = none(DAYS_OF_WEEK);
  private final int[] yearly = none(MONTHS * DAYS_OF_MONTH);
  private final boolean hasYearly;
  private final Line dates;
  private final Line ranges;

  /** The last rule by day, in primitive arrays: ten thousand dates take little memory. */
  private record Line(long[] days, int[] rules) {
    /** The last index whose day is not after the given one; -1: there is none. */
    int place(long day) {
      int place = Arrays.binarySearch(days, day);
      return place < 0 ? -place - 2 : place;
    }

    /** The same, searched from a nearby index. */
    int place(long day, int near) {
      int place = near;
      while (place + 1 < days.length && days[place + 1] <= day) {
        place++;
      }
      while (place >= 0 && days[place] > day) {
        place--;
      }
      return place;
    }

    int rule(int place) {
      return place < 0 ? NONE : rules[place];
    }

    int ruleOfThatDay(int place, long day) {
      return place < 0 || days[place] != day ? NONE : rules[place];
    }
  }

  DayIndex(List<Rule> rules, Effect otherwise) {
    this.otherwise = otherwise == Effect.INCLUDE;
    this.includes = new boolean[rules.size()];
    boolean anyYearly = false;
    for (int i = 0; i < rules.size(); i++) {
      int number = i;
      includes[i] = rules.get(i).effect() == Effect.INCLUDE;
      switch (rules.get(i).days()) {
        case Days.Weekly(var days) -> days.forEach(day -> weekly[day.getValue() - 1] = number);
        case Days.Yearly(var days) -> {
          anyYearly = true;
          days.forEach(day -> yearly[place(day.getMonthValue(), day.getDayOfMonth())] = number);
        }
        case Days.Dates unused -> {}
        case Days.Range unused -> {}
      }
    }
    this.hasYearly = anyYearly;
    this.dates = dates(rules);
    this.ranges = ranges(rules);
  }

  private static int[] none(int length) {
    int[] none = new int[length];
    Arrays.fill(none, NONE);
    return none;
  }

  private static int place(int month, int day) {
    return (month - 1) * DAYS_OF_MONTH + day - 1;
  }

  private static Line dates(List<Rule> rules) {
    int count = 0;
    for (Rule rule : rules) {
      count += rule.days() instanceof Days.Dates dates ? dates.written() : 0;
    }
    long[] all = new long[count];
    int at = 0;
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i).days() instanceof Days.Dates(var days)) {
        for (LocalDate day : days) {
          all[at++] = day.toEpochDay() << RULE_BITS | i;
        }
      }
    }
    Arrays.sort(all);
    long[] byDay = new long[count];
    int[] last = new int[count];
    int length = 0;
    for (long each : all) {
      long day = each >> RULE_BITS;
      if (length > 0 && byDay[length - 1] == day) {
        length--; // a later rule matches the same day
      }
      byDay[length] = day;
      last[length++] = (int) (each & ((1 << RULE_BITS) - 1));
    }
    return new Line(Arrays.copyOf(byDay, length), Arrays.copyOf(last, length));
  }

  /** The last rule stays the same between two days at which a range begins or ends. */
  private static Line ranges(List<Rule> rules) {
    var begins = new TreeMap<Long, List<Integer>>();
    var changes = new TreeSet<Long>();
    long[] ends = new long[rules.size()];
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i).days() instanceof Days.Range(LocalDate from, LocalDate to)) {
        ends[i] = to.toEpochDay() + 1;
        begins.computeIfAbsent(from.toEpochDay(), unused -> new ArrayList<>()).add(i);
        changes.add(from.toEpochDay());
        changes.add(ends[i]);
      }
    }
    long[] days = new long[changes.size()];
    int[] last = new int[days.length];
    var open = new TreeSet<Integer>();
    int at = 0;
    for (long day : changes) {
      open.addAll(begins.getOrDefault(day, List.of()));
      while (!open.isEmpty() && ends[open.last()] <= day) {
        open.removeLast(); // an ended one below it decides nothing, and is removed when it is the
        // last
      }
      days[at] = day;
      last[at++] = open.isEmpty() ? NONE : open.last();
    }
    return new Line(days, last);
  }

  boolean includes(LocalDate date) {
    long day = date.toEpochDay();
    return includes(day, dates.place(day), ranges.place(day));
  }

  private boolean includes(long day, int date, int range) {
    int weekday = Math.floorMod(day + FIRST_DAY, DAYS_OF_WEEK);
    int last = Math.max(
        Math.max(weekly[weekday], hasYearly ? yearlyRule(day) : NONE),
        Math.max(dates.ruleOfThatDay(date, day), ranges.rule(range)));
    return last == NONE ? otherwise : includes[last];
  }

  private int yearlyRule(long day) {
    LocalDate date = LocalDate.ofEpochDay(day);
    return yearly[place(date.getMonthValue(), date.getDayOfMonth())];
  }

  /**
   * How many days lie between a day and the nearest included one, in one direction.
   *
   * @param step 1 or -1
   * @param most the most days to search; empty if none of them is included
   */
  OptionalInt distance(LocalDate from, int step, int most) {
    long day = from.toEpochDay();
    int date = dates.place(day);
    int range = ranges.place(day);
    for (int days = 0; days <= most; days++) {
      if (includes(day, date, range)) {
        return OptionalInt.of(days);
      }
      day += step;
      date = dates.place(day, date);
      range = ranges.place(day, range);
    }
    return OptionalInt.empty();
  }
}
