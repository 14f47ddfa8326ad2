package io.belfry.core.calendar;

import io.belfry.model.Check;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Includes or excludes days. The last rule that speaks of a day decides; a day that no rule speaks of is asked of the base
 * calendar, and without one the default decides.
 *
 * @param zone whose day it is, for triggers that have no zone of their own
 * @param otherwise what holds for a day that no rule speaks of; with a base, the base's is used
 * @param base name of the calendar that this one changes
 */
public record Calendar(
    String name, ZoneId zone, Effect otherwise, List<Rule> rules, Optional<String> base) {

  public enum Effect {
    INCLUDE,
    EXCLUDE
  }

  public record Rule(Effect effect, Days days) {}

  public static final int DATES_MAX = 10_000;
  static final int RULES_MAX = 1_000;
  public static final int BASES_MAX = 8;
  public static final int NAME_CHARS_MAX = 128;

  public Calendar {
    Check.name("calendar", name, NAME_CHARS_MAX);
    rules = List.copyOf(rules);
    base.ifPresent(other -> Check.name("calendar.base", other, NAME_CHARS_MAX));
    Check.between(
        "calendar.rules", rules.size(), 0, RULES_MAX, "each day is compared with each of them");
    long dates = rules.stream().mapToLong(rule -> rule.days().written()).sum();
    Check.that(
        dates <= DATES_MAX,
        "calendar.rules",
        new Check.Amount(dates, "dates"),
        "must hold at most " + DATES_MAX
            + " dates, because the leader keeps calendars in memory and reads them as a whole",
        "Use weekly or yearly rules and ranges, or drop years that are over.");
  }

  /** Every day, until rules take some away. */
  public static Calendar everyDay(String name, ZoneId zone) {
    return new Calendar(name, zone, Effect.INCLUDE, List.of(), Optional.empty());
  }

  /** Monday to Friday, without holidays. */
  public static Calendar workingDays(String name, ZoneId zone, Holidays holidays) {
    return new Calendar(name, zone, Effect.EXCLUDE, List.of(), Optional.empty())
        .including(Days.MONDAY_TO_FRIDAY)
        .excluding(holidays);
  }

  public Calendar including(Days days) {
    return and(List.of(new Rule(Effect.INCLUDE, days)));
  }

  public Calendar excluding(Days days) {
    return and(List.of(new Rule(Effect.EXCLUDE, days)));
  }

  public Calendar excluding(Holidays holidays) {
    return and(
        holidays.days().stream().map(days -> new Rule(Effect.EXCLUDE, days)).toList());
  }

  public Calendar on(String newBase) {
    return new Calendar(name, zone, otherwise, rules, Optional.of(newBase));
  }

  /** Whether the day counts. Only a calendar without a base can say so; {@link #resolve} makes one. */
  public boolean includes(LocalDate date) {
    if (base.isPresent()) {
      throw new IllegalStateException("calendar " + name + " rests on " + base.get()
          + ", which must be looked up first: Calendar.resolve");
    }
    for (int i = rules.size() - 1; i >= 0; i--) {
      if (rules.get(i).days().has(date)) {
        return rules.get(i).effect() == Effect.INCLUDE;
      }
    }
    return otherwise == Effect.INCLUDE;
  }

  /**
   * This calendar with the rules of its bases written before its own, so that it stands alone.
   *
   * @throws io.belfry.model.InvalidException if a base is missing or leads back here
   */
  public Calendar resolve(Function<String, Optional<Calendar>> find) {
    Calendar whole = this;
    for (int i = 0; whole.base.isPresent(); i++) {
      String wanted = whole.base.get();
      Check.that(
          i < BASES_MAX,
          "calendar.base",
          wanted,
          "must end after at most " + BASES_MAX
              + " calendars that rest on each other, because a ring of them never ends",
          "Take base out of one of them.");
      whole = whole.over(find.apply(wanted).orElseThrow(() -> missing(wanted)));
    }
    return whole;
  }

  private Calendar over(Calendar below) {
    List<Rule> all = new ArrayList<>(below.rules);
    all.addAll(rules);
    return new Calendar(name, zone, below.otherwise, all, below.base);
  }

  private Calendar and(List<Rule> more) {
    List<Rule> all = new ArrayList<>(rules);
    all.addAll(more);
    return new Calendar(name, zone, otherwise, all, base);
  }

  private static RuntimeException missing(String wanted) {
    return Check.refusal(
        "calendar.base",
        wanted,
        "must name a calendar that exists, because its rules are the beginning of this one's",
        "Save that calendar first, or take base out.");
  }
}
