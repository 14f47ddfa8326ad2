package io.belfry.model.cron;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The parts of a description, independent of the language. Derived from the bit sets, not from the text, so
 * that {@code *}{@code /15} and {@code 0,15,30,45} are described alike and the description matches the fires.
 *
 * <p>Threading: immutable.
 *
 * @param months empty if any
 * @param years empty if any
 */
record Description(TimesOfDay times, Days days, List<Part.Run> months, List<Part> years) {

  private static final int WORKING_DAYS = 0b011_1110;

  static String of(Pattern pattern, DescriptionRenderer wording) {
    Part months = Part.of(pattern.months(), Field.MONTH);
    return wording.say(new Description(
        TimesOfDay.of(pattern),
        pattern.days(),
        months instanceof Part.All ? List.of() : Part.runs(Part.values(pattern.months())),
        years(pattern.days().rare().years())));
  }

  private static List<Part> years(long[] bits) {
    if (bits.length == 0) {
      return List.of();
    }
    List<Integer> years =
        BitSet.valueOf(bits).stream().map(n -> n + Civil.FIRST_YEAR).boxed().toList();
    Part part = Part.of(years, Civil.FIRST_YEAR, Civil.LAST_YEAR);
    return part instanceof Part.All ? List.of() : List.of(part);
  }

  /** Every day of the months and years that are named. */
  boolean everyDay() {
    return days.domOpen() && (days.dowOpen() || days.dow() == 127);
  }

  /** Every day of every month and year. */
  boolean always() {
    return everyDay() && months.isEmpty() && years.isEmpty();
  }

  /** Plain weekdays, Monday is 1 and Sunday 7; in week order, or starting with the first one after a gap. */
  List<Integer> weekdays() {
    List<Integer> weekdays = new ArrayList<>();
    for (int day = 1; day <= 7; day++) {
      if ((days.dow() >>> day % 7 & 1) != 0) {
        weekdays.add(day);
      }
    }
    return weekdays;
  }

  boolean workingDays() {
    return days.dow() == WORKING_DAYS;
  }

  /** First and last of three or more consecutive weekdays, also across the weekend. */
  List<Integer> weekdayRun() {
    int count = Integer.bitCount(days.dow());
    for (int first = 1; first <= 7 && count >= Part.WORTH_A_RUN && count < 7; first++) {
      int run = ((1 << count) - 1) << (first % 7);
      if (((run | run >>> 7) & 127) == days.dow()) {
        return List.of(first, (first + count - 2) % 7 + 1);
      }
    }
    return List.of();
  }

  boolean oneMonth() {
    return months.size() == 1 && months.getFirst().isSingle();
  }

  /** Days of the month by number; empty if there are none. */
  List<Part> daysOfMonth() {
    if (days.domOpen() || days.dom() == 0) {
      return List.of();
    }
    return List.of(Part.of((long) days.dom() << 1, Field.DAY_OF_MONTH));
  }
}
