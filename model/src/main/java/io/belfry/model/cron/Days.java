package io.belfry.model.cron;

import java.util.Arrays;

/**
 * The days that an expression names: per month, as a set of 31 bits, bit 0 for the first.
 *
 * <p>Threading: immutable.
 *
 * @param dom named days of the month, bit 0 for the first
 * @param dow named weekdays, bit 0 for Sunday
 * @param domOpen day-of-month is {@code *} or {@code ?}
 * @param dowOpen day-of-week is {@code *} or {@code ?}
 * @param rare the parts that few expressions have
 */
record Days(int dom, int dow, boolean domOpen, boolean dowOpen, Rare rare) {

  /**
   * {@code L W #} and years.
   *
   * @param last bit n for {@code L-n}
   * @param nearest bit n for {@code W} of day n + 1
   * @param lastNearest bit n for {@code L-nW}
   * @param lastDow bit n for the last of weekday n
   * @param nth bit 7 (k - 1) + n for the k-th of weekday n
   * @param years bit n for 1970 + n, or empty for all of them
   */
  record Rare(int last, int nearest, int lastNearest, int lastDow, long nth, long[] years) {

    static final Rare NONE = new Rare(0, 0, 0, 0, 0, new long[0]);

    boolean hasYear(int year) {
      int bit = year - Civil.FIRST_YEAR;
      return years.length == 0 || (years[bit >> 6] >>> bit & 1) != 0;
    }

    boolean namesDayOfMonth() {
      return (last | nearest | lastNearest) != 0;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Rare r
          && last == r.last
          && nearest == r.nearest
          && lastNearest == r.lastNearest
          && lastDow == r.lastDow
          && nth == r.nth
          && Arrays.equals(years, r.years);
    }

    @Override
    public int hashCode() {
      return Long.hashCode(nth) * 31
          + (last ^ nearest << 1 ^ lastNearest << 2 ^ lastDow << 3)
          + Arrays.hashCode(years);
    }
  }

  private static final long EVERY_SEVENTH = 0x0408_1020_4081L; // one bit per week, seven weeks

  /** Any day of any month in any year. */
  boolean everyDay() {
    return domOpen && dowOpen && rare.years.length == 0;
  }

  /** Only the weekday restricts the days. */
  boolean weekly() {
    return domOpen && !dowOpen && rare.equals(Rare.NONE);
  }

  /** The weekdays of seven consecutive weeks, bit 0 for a Sunday. */
  long weeks() {
    return weeks(dow);
  }

  private static long weeks(int weekdays) {
    return weekdays * EVERY_SEVENTH;
  }

  /** The named days of a month of this length whose first day is this weekday. */
  int inMonth(int length, int firstWeekday) {
    int all = -1 >>> (32 - length);
    if (domOpen && dowOpen) {
      return all;
    }
    int days = 0;
    if (!domOpen) {
      days = dom & all;
      if (rare.namesDayOfMonth()) {
        days |= rareDaysOfMonth(length, firstWeekday);
      }
    }
    if (!dowOpen) {
      days |= (int) (weeks(dow) >>> firstWeekday) & all;
      if (rare.lastDow != 0) {
        days |= (int) (weeks(rare.lastDow) >>> firstWeekday) & (all & ~(all >>> 7));
      }
      if (rare.nth != 0) {
        days |= nthWeekdays(firstWeekday) & all;
      }
    }
    return days;
  }

  private int nthWeekdays(int firstWeekday) {
    int days = 0;
    for (int week = 0; week < 5; week++) {
      int weekdays = (int) (rare.nth >>> (7 * week)) & 127;
      days |= ((int) (weeks(weekdays) >>> firstWeekday) & 127) << (7 * week);
    }
    return days;
  }

  private int rareDaysOfMonth(int length, int firstWeekday) {
    int days = 0;
    for (int rest = rare.last; rest != 0; rest &= rest - 1) {
      int back = Integer.numberOfTrailingZeros(rest);
      days |= back < length ? 1 << (length - 1 - back) : 0;
    }
    for (int rest = rare.nearest; rest != 0; rest &= rest - 1) {
      int index = Integer.numberOfTrailingZeros(rest);
      days |= index < length ? 1 << nearestWeekday(index, length, firstWeekday) : 0;
    }
    for (int rest = rare.lastNearest; rest != 0; rest &= rest - 1) {
      int index = length - 1 - Integer.numberOfTrailingZeros(rest);
      days |= index >= 0 ? 1 << nearestWeekday(index, length, firstWeekday) : 0;
    }
    return days;
  }

  /** Saturday goes back to Friday and Sunday on to Monday, but never out of the month. */
  private static int nearestWeekday(int index, int length, int firstWeekday) {
    return switch ((firstWeekday + index) % 7) {
      case 6 -> index == 0 ? 2 : index - 1;
      case 0 -> index == length - 1 ? index - 2 : index + 1;
      default -> index;
    };
  }
}
