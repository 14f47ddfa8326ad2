package io.belfry.core.calendar;

import io.belfry.model.Check;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Includes or excludes days. The last rule that matches a day decides; a day that no rule matches is looked up in the base
 * calendar, and without one the default decides.
 *
 * <p>Threading: immutable; its day index is built on first use.
 */
public final class Calendar {

  public enum Effect {
    INCLUDE,
    EXCLUDE
  }

  public record Rule(Effect effect, Days days) {}

  public static final int DATES_MAX = 10_000;
  static final int RULES_MAX = 1_000;
  public static final int BASES_MAX = 8;
  public static final int NAME_CHARS_MAX = 128;

  private final String name;
  private final ZoneId zone;
  private final Effect otherwise;
  private final List<Rule> rules;
  private final Optional<String> base;
  private volatile @Nullable DayIndex index;

  /**
   * A calendar.
   *
   * @param zone the time zone of its days, for triggers that have no zone of their own
   * @param otherwise the default for a day that no rule matches; with a base, the base's is used
   * @param base name of the calendar that this one extends
   */
  public Calendar(
      String name, ZoneId zone, Effect otherwise, List<Rule> rules, Optional<String> base) {
    this.name = Check.name("calendar", name, NAME_CHARS_MAX);
    this.zone = zone;
    this.otherwise = otherwise;
    this.rules = List.copyOf(rules);
    this.base = base;
    base.ifPresent(other -> Check.name("calendar.base", other, NAME_CHARS_MAX));
    Check.between(
        "calendar.rules", rules.size(), 0, RULES_MAX, "the leader keeps calendars in memory");
    long dates = rules.stream().mapToLong(rule -> rule.days().written()).sum();
    Check.that(
        dates <= DATES_MAX,
        "calendar.rules",
        new Check.Amount(dates, "dates"),
        "must hold at most " + DATES_MAX
            + " dates, because the leader keeps calendars in memory and reads them as a whole",
        "Use weekly or yearly rules and ranges, or remove past years.");
  }

  public String name() {
    return name;
  }

  public ZoneId zone() {
    return zone;
  }

  public Effect otherwise() {
    return otherwise;
  }

  public List<Rule> rules() {
    return rules;
  }

  public Optional<String> base() {
    return base;
  }

  /** A calendar that includes every day. */
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

  /** Whether the day is included. Only for a calendar without a base; {@link #resolve} makes one. */
  public boolean includes(LocalDate date) {
    return index().includes(date);
  }

  /**
   * How many days after this one the next included day is, 0 if it is this one; empty if there is none within {@code most} days. Like
   * {@link #includes}, only for a calendar without a base.
   */
  public OptionalInt daysAhead(LocalDate from, int most) {
    return index().distance(from, 1, most);
  }

  /** The same backwards. */
  public OptionalInt daysBack(LocalDate from, int most) {
    return index().distance(from, -1, most);
  }

  private DayIndex index() {
    if (base.isPresent()) {
      throw new IllegalStateException("calendar " + name + " has the base " + base.get()
          + ", which must be resolved first: Calendar.resolve");
    }
    @Nullable DayIndex known = index;
    if (known == null) {
      known = new DayIndex(rules, otherwise); // two threads may build two equal ones
      index = known;
    }
    return known;
  }

  /**
   * This calendar with the rules of its bases before its own, so that it needs no base.
   *
   * @throws io.belfry.model.InvalidException if a base is missing, or the bases form a cycle
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
              + " calendars that extend each other, because a cycle of them never ends",
          "Remove base from one of them.");
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Calendar that
        && name.equals(that.name)
        && zone.equals(that.zone)
        && otherwise == that.otherwise
        && rules.equals(that.rules)
        && base.equals(that.base);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, zone, otherwise, rules, base);
  }

  @Override
  public String toString() {
    return "Calendar[" + name + ", " + zone + ", otherwise " + otherwise + ", rules " + rules
        + base.map(other -> ", base " + other).orElse("") + "]";
  }

  private static RuntimeException missing(String wanted) {
    return Check.refusal(
        "calendar.base",
        wanted,
        "must name a calendar that exists, because its rules come before this one's",
        "Save that calendar first, or remove base.");
  }
}
