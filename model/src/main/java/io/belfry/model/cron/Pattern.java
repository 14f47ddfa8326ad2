package io.belfry.model.cron;

/**
 * The local times that an expression names, without a zone: six bit sets, with the searches
 * "first named time at or after" and "last named time at or before". A local time is a
 * number of seconds since 1970-01-01T00:00 local time.
 *
 * <p>A search looks at the day first. Within a named day it finds the time of day with at most
 * three bit scans. Otherwise it finds the next named day, a month at a time, and takes its first
 * time of day. Threading: immutable.
 */
final class Pattern {

  /** Returned if there is no such time before 2200. */
  static final long NONE_AFTER = Long.MAX_VALUE;

  /** Returned if there is no such time since 1970. */
  static final long NONE_BEFORE = Long.MIN_VALUE;

  private static final int ALL_MONTHS = 0b1_1111_1111_1110;
  private static final int NO_TIME = -1;
  private static final int NO_DAY = -1;
  private static final long END = (long) Civil.END_DAY * Civil.SECONDS_PER_DAY;

  private enum Kind {
    DAILY,
    WEEKLY,
    DATED
  }

  private final long seconds;
  private final long minutes;
  private final int hours;
  private final int months;
  private final Days days;
  private final long weeks;
  private final Kind kind;
  private final boolean elapsed;

  /**
   * @param months bit 1 for January
   * @param elapsed the hour field is {@code *} or a step, so that fires follow elapsed time
   */
  Pattern(long seconds, long minutes, int hours, int months, Days days, boolean elapsed) {
    this.seconds = seconds;
    this.minutes = minutes;
    this.hours = hours;
    this.months = months;
    this.days = days;
    this.weeks = days.weeks();
    this.elapsed = elapsed;
    if (months == ALL_MONTHS && days.everyDay()) {
      kind = Kind.DAILY;
    } else if (months == ALL_MONTHS && days.weekly()) {
      kind = Kind.WEEKLY;
    } else {
      kind = Kind.DATED;
    }
  }

  long seconds() {
    return seconds;
  }

  long minutes() {
    return minutes;
  }

  int hours() {
    return hours;
  }

  int months() {
    return months;
  }

  Days days() {
    return days;
  }

  boolean elapsed() {
    return elapsed;
  }

  /** The first named time at or after this one, or {@link #NONE_AFTER}. */
  long atOrAfter(long local) {
    long from = Math.max(local, 0);
    if (from >= END) {
      return NONE_AFTER;
    }
    int today = (int) (from / Civil.SECONDS_PER_DAY);
    int day = dayAtOrAfter(today);
    if (day == today) {
      int time = timeAtOrAfter((int) (from - (long) today * Civil.SECONDS_PER_DAY));
      if (time != NO_TIME) {
        return (long) today * Civil.SECONDS_PER_DAY + time;
      }
      day = dayAtOrAfter(today + 1);
    }
    return day == NO_DAY ? NONE_AFTER : (long) day * Civil.SECONDS_PER_DAY + firstTime();
  }

  /** The last named time at or before this one, or {@link #NONE_BEFORE}. */
  long atOrBefore(long local) {
    long from = Math.min(local, END - 1);
    if (from < 0) {
      return NONE_BEFORE;
    }
    int today = (int) (from / Civil.SECONDS_PER_DAY);
    int day = dayAtOrBefore(today);
    if (day == today) {
      int time = timeAtOrBefore((int) (from - (long) today * Civil.SECONDS_PER_DAY));
      if (time != NO_TIME) {
        return (long) today * Civil.SECONDS_PER_DAY + time;
      }
      day = dayAtOrBefore(today - 1);
    }
    return day == NO_DAY ? NONE_BEFORE : (long) day * Civil.SECONDS_PER_DAY + lastTime();
  }

  private int firstTime() {
    return timeOf(
        Integer.numberOfTrailingZeros(hours),
        Long.numberOfTrailingZeros(minutes),
        Long.numberOfTrailingZeros(seconds));
  }

  private int lastTime() {
    return timeOf(highest(hours), highest(minutes), highest(seconds));
  }

  private static int timeOf(int hour, int minute, int second) {
    return hour * 3600 + minute * 60 + second;
  }

  private static int highest(long bits) {
    return 63 - Long.numberOfLeadingZeros(bits);
  }

  private int timeAtOrAfter(int secondOfDay) {
    int hour = secondOfDay / 3600;
    int minute = secondOfDay / 60 - hour * 60;
    int second = secondOfDay - secondOfDay / 60 * 60;
    if ((hours >>> hour & 1) != 0) {
      long laterSeconds = (minutes >>> minute & 1) == 0 ? 0 : seconds >>> second << second;
      if (laterSeconds != 0) {
        return timeOf(hour, minute, Long.numberOfTrailingZeros(laterSeconds));
      }
      long laterMinutes = minutes & (-2L << minute);
      if (laterMinutes != 0) {
        return timeOf(
            hour, Long.numberOfTrailingZeros(laterMinutes), Long.numberOfTrailingZeros(seconds));
      }
    }
    int laterHours = hours & (-2 << hour);
    if (laterHours == 0) {
      return NO_TIME;
    }
    return timeOf(
        Integer.numberOfTrailingZeros(laterHours),
        Long.numberOfTrailingZeros(minutes),
        Long.numberOfTrailingZeros(seconds));
  }

  private int timeAtOrBefore(int secondOfDay) {
    int hour = secondOfDay / 3600;
    int minute = secondOfDay / 60 - hour * 60;
    int second = secondOfDay - secondOfDay / 60 * 60;
    if ((hours >>> hour & 1) != 0) {
      long earlierSeconds = (minutes >>> minute & 1) == 0 ? 0 : seconds & ((2L << second) - 1);
      if (earlierSeconds != 0) {
        return timeOf(hour, minute, highest(earlierSeconds));
      }
      long earlierMinutes = minutes & ((1L << minute) - 1);
      if (earlierMinutes != 0) {
        return timeOf(hour, highest(earlierMinutes), highest(seconds));
      }
    }
    int earlierHours = hours & ((1 << hour) - 1);
    return earlierHours == 0
        ? NO_TIME
        : timeOf(highest(earlierHours), highest(minutes), highest(seconds));
  }

  private int dayAtOrAfter(int day) {
    int found = switch (kind) {
      case DAILY -> day;
      case WEEKLY -> day + Long.numberOfTrailingZeros(weeks >>> Civil.weekday(day));
      case DATED -> dateAtOrAfter(day);
    };
    return found < Civil.END_DAY ? found : NO_DAY;
  }

  private int dayAtOrBefore(int day) {
    if (day < 0) {
      return NO_DAY;
    }
    return switch (kind) {
      case DAILY -> day;
      case WEEKLY -> Math.max(NO_DAY, day - daysSinceNamedWeekday(Civil.weekday(day)));
      case DATED -> dateAtOrBefore(day);
    };
  }

  private int daysSinceNamedWeekday(int weekday) {
    int here = weekday + 7;
    return here - highest(weeks & ((2L << here) - 1));
  }

  private int dateAtOrAfter(int from) {
    if (from >= Civil.END_DAY) {
      return NO_DAY;
    }
    int date = Civil.dateOf(from);
    int year = Civil.year(date);
    int month = Civil.month(date);
    int skipped = Civil.day(date) - 1;
    while (year <= Civil.LAST_YEAR) {
      int laterMonths = days.rare().hasYear(year) ? months >>> month << month : 0;
      if (laterMonths == 0) {
        year++;
        month = 1;
        skipped = 0;
        continue;
      }
      int named = Integer.numberOfTrailingZeros(laterMonths);
      if (named != month) {
        skipped = 0;
      }
      int first = Civil.dayOf(year, named, 1);
      int found = days.inMonth(Civil.lengthOfMonth(year, named), Civil.weekday(first))
          >>> skipped
          << skipped;
      if (found != 0) {
        return first + Integer.numberOfTrailingZeros(found);
      }
      month = named + 1;
      skipped = 0;
    }
    return Civil.END_DAY;
  }

  private int dateAtOrBefore(int from) {
    int date = Civil.dateOf(from);
    int year = Civil.year(date);
    int month = Civil.month(date);
    int lastDay = Civil.day(date);
    while (year >= Civil.FIRST_YEAR) {
      int earlierMonths = days.rare().hasYear(year) ? months & ((2 << month) - 1) : 0;
      if (earlierMonths == 0) {
        year--;
        month = 12;
        lastDay = 31;
        continue;
      }
      int named = highest(earlierMonths);
      if (named != month) {
        lastDay = 31;
      }
      int first = Civil.dayOf(year, named, 1);
      int found = days.inMonth(Civil.lengthOfMonth(year, named), Civil.weekday(first))
          & (-1 >>> (32 - lastDay));
      if (found != 0) {
        return first + highest(found);
      }
      month = named - 1;
      lastDay = 31;
    }
    return NO_DAY;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Pattern p
        && seconds == p.seconds
        && minutes == p.minutes
        && hours == p.hours
        && months == p.months
        && elapsed == p.elapsed
        && days.equals(p.days);
  }

  @Override
  public int hashCode() {
    return (Long.hashCode(seconds) * 31 + Long.hashCode(minutes)) * 31
        + hours * 31
        + months
        + days.hashCode();
  }
}
