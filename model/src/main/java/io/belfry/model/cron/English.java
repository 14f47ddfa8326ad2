package io.belfry.model.cron;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** "every weekday at 02:30". Threading: stateless. */
final class English implements DescriptionRenderer {
  private static final PhraseJoiner JOINING = new PhraseJoiner(" to ", ", ", " and ");

  private static final List<String> WEEKDAYS =
      List.of("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday");
  private static final List<String> MONTHS = List.of(
      "January",
      "February",
      "March",
      "April",
      "May",
      "June",
      "July",
      "August",
      "September",
      "October",
      "November",
      "December");
  private static final List<String> NTH = List.of("first", "second", "third", "fourth", "fifth");

  @Override
  public String every(Duration period) {
    if (period.equals(Duration.ofDays(1))) {
      return "every 24 hours"; // a day from the anchor, whatever the calendar does
    }
    List<String> parts = new ArrayList<>();
    add(parts, period.toDaysPart(), "day");
    add(parts, period.toHoursPart(), "hour");
    add(parts, period.toMinutesPart(), "minute");
    add(parts, period.toSecondsPart(), "second");
    String only = parts.getFirst();
    return "every "
        + (parts.size() == 1 && only.startsWith("1 ")
            ? only.substring(2)
            : String.join(" ", parts));
  }

  private static void add(List<String> parts, long count, String unit) {
    if (count > 0) {
      parts.add(count + " " + unit + (count == 1 ? "" : "s"));
    }
  }

  @Override
  public String say(Description d) {
    String years = years(d);
    if (d.times() instanceof TimesOfDay.At at) {
      return dates(d, true) + years + " at "
          + JOINING.list(at.times().stream().map(PhraseJoiner::clock).toList());
    }
    String times = times(d.times());
    return d.always() ? times : times + (d.everyDay() ? "" : " ") + dates(d, false) + years;
  }

  // Times of day

  private static String times(TimesOfDay times) {
    return switch (times) {
      case TimesOfDay.At at ->
        JOINING.list(at.times().stream().map(PhraseJoiner::clock).toList());
      case TimesOfDay.Every every -> every(every.count(), unit(every.unit()));
      case TimesOfDay.Hourly hourly -> every(hourly.count(), "hour") + " at " + pastTheHour(hourly);
      case TimesOfDay.Within w ->
        every(w.count(), unit(w.unit())) + " from " + PhraseJoiner.clock(w, w.first()) + " to "
            + PhraseJoiner.clock(w, w.last());
      case TimesOfDay.Mixed mixed -> mixed(mixed);
    };
  }

  private static String pastTheHour(TimesOfDay.Hourly hourly) {
    String minute = "minute " + hourly.minute();
    return hourly.second() == 0 ? minute : minute + " and second " + hourly.second();
  }

  private static String every(int count, String unit) {
    return count == 1 ? "every " + unit : "every " + count + " " + unit + "s";
  }

  private static String unit(TimesOfDay.Unit unit) {
    return unit.name().toLowerCase(Locale.ROOT);
  }

  /** From the small unit to the large: "at second 5 of every 2nd minute of hours 9 and 14". */
  private static String mixed(TimesOfDay.Mixed mixed) {
    boolean onTheMinute = mixed.seconds().equals(new Part.Some(List.of(new Part.Run(0, 0))));
    String hours = mixed.minutes().isThroughout() && mixed.hours() instanceof Part.All
        ? ""
        : " of " + following(mixed.hours(), "hour");
    String minutes = onTheMinute
        ? leading(mixed.minutes(), "minute")
        : leading(mixed.seconds(), "second") + " of " + following(mixed.minutes(), "minute");
    return minutes + hours;
  }

  private static String leading(Part part, String unit) {
    return switch (part) {
      case Part.All all -> "every " + unit;
      case Part.Even even -> every(even.step(), unit);
      case Part.Stepped s ->
        every(s.step(), unit) + " from " + unit + " " + s.first() + " to " + s.last();
      case Part.Some some -> "at " + numbered(some, unit);
    };
  }

  private static String following(Part part, String unit) {
    return switch (part) {
      case Part.All all -> "every " + unit;
      case Part.Even even -> "every " + ordinal(even.step()) + " " + unit;
      case Part.Stepped s ->
        "every " + ordinal(s.step()) + " " + unit + " from " + s.first() + " to " + s.last();
      case Part.Some some -> numbered(some, unit);
    };
  }

  private static String numbered(Part.Some some, String unit) {
    return unit + (some.isSingle() ? " " : "s ") + JOINING.runs(some.runs(), Integer::toString);
  }

  // Dates

  private static String dates(Description d, boolean first) {
    String months = months(d);
    boolean stretch = d.months().size() == 1 && !d.oneMonth();
    String inMonths = months.isEmpty() ? "" : (stretch ? " from " : " in ") + months;
    if (d.everyDay()) {
      return (first ? "every day" : "") + inMonths;
    }
    String ofMonths = " of " + (months.isEmpty() ? "every month" : months);
    List<String> either = new ArrayList<>();
    List<String> inMonth = daysOfMonth(d);
    if (!inMonth.isEmpty()) {
      either.add("on " + JOINING.list(inMonth) + ofMonths);
    }
    if (!d.days().dowOpen()) {
      if (d.days().dow() != 0) {
        either.add(weekdays(d, first) + inMonths);
      }
      List<String> counted = countedWeekdays(d.days().rare());
      if (!counted.isEmpty()) {
        either.add("on " + JOINING.list(counted) + ofMonths);
      }
    }
    return String.join(" or ", either);
  }

  private static List<String> daysOfMonth(Description d) {
    List<String> items = new ArrayList<>();
    for (Part part : d.daysOfMonth()) {
      switch (part) {
        case Part.All all -> items.add("every day");
        case Part.Even even -> items.add("every " + ordinal(even.step()) + " day");
        case Part.Stepped s ->
          items.add("every " + ordinal(s.step()) + " day from the " + ordinal(s.first())
              + " to the " + ordinal(s.last()));
        case Part.Some some
        when d.days().rare().namesDayOfMonth() ->
          some.runs()
              .forEach(run -> items.add("the " + JOINING.runs(List.of(run), English::ordinal)));
        case Part.Some some -> items.add("the " + JOINING.runs(some.runs(), English::ordinal));
      }
    }
    if (d.days().domOpen()) {
      return items;
    }
    Days.Rare rare = d.days().rare();
    Part.values(rare.last())
        .forEach(back -> items.add(back == 0 ? "the last day" : beforeLast(back)));
    Part.values(rare.nearest())
        .forEach(day -> items.add("the weekday nearest the " + ordinal(day + 1)));
    Part.values(rare.lastNearest())
        .forEach(back ->
            items.add(back == 0 ? "the last weekday" : "the weekday nearest " + beforeLast(back)));
    return items;
  }

  /** L-3 is the fourth day from the end. */
  private static String beforeLast(int back) {
    return "the " + ordinal(back + 1) + "-last day";
  }

  private static String weekdays(Description d, boolean first) {
    if (d.days().dow() == 127) {
      return "every day";
    }
    if (d.workingDays()) {
      return first ? "every weekday" : "on weekdays";
    }
    List<Integer> run = d.weekdayRun();
    if (!run.isEmpty()) {
      return (first ? "every day from " : "from ") + WEEKDAYS.get(run.getFirst() - 1) + " to "
          + WEEKDAYS.get(run.getLast() - 1);
    }
    return (first ? "every " : "on ")
        + JOINING.list(d.weekdays().stream().map(day -> WEEKDAYS.get(day - 1)).toList());
  }

  private static List<String> countedWeekdays(Days.Rare rare) {
    List<String> items = new ArrayList<>();
    Part.values(rare.nth())
        .forEach(bit -> items.add("the " + NTH.get(bit / 7) + " " + weekday(bit % 7)));
    Part.values(rare.lastDow()).forEach(day -> items.add("the last " + weekday(day)));
    return items;
  }

  private static String weekday(int sundayIsZero) {
    return WEEKDAYS.get((sundayIsZero + 6) % 7);
  }

  private static String months(Description d) {
    return JOINING.runs(d.months(), month -> MONTHS.get(month - 1));
  }

  private static String years(Description d) {
    if (d.years().isEmpty()) {
      return "";
    }
    return switch (d.years().getFirst()) {
      case Part.All all -> "";
      case Part.Even even -> " in every " + ordinal(even.step()) + " year from " + Civil.FIRST_YEAR;
      case Part.Stepped s ->
        " in every " + ordinal(s.step()) + " year from " + s.first() + " to " + s.last();
      case Part.Some some
      when some.isSingle() && !d.months().isEmpty() ->
        " " + some.runs().getFirst().first();
      case Part.Some some ->
        (some.runs().size() == 1 && !some.isSingle() ? " from " : " in ")
            + JOINING.runs(some.runs(), Integer::toString);
    };
  }

  // Small change

  private static String ordinal(int number) {
    boolean teen = number / 10 % 10 == 1;
    return number
        + switch (teen ? 0 : number % 10) {
          case 1 -> "st";
          case 2 -> "nd";
          case 3 -> "rd";
          default -> "th";
        };
  }
}
