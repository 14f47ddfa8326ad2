package io.belfry.model.cron;

/**
 * Calendar arithmetic on integers, for the years that cron supports. Days count from 1970-01-01, as in
 * {@link java.time.LocalDate#toEpochDay()}, but without an object per date: this is the inner loop
 * of {@code next}.
 *
 * <p>The year is taken to start in March, so that the leap day is its last day and the month lengths
 * follow one formula, {@code (153 m + 2) / 5}. Threading: stateless.
 */
final class Civil {

  static final int FIRST_YEAR = 1970;
  static final int LAST_YEAR = 2199;

  /** The first day that no expression can name: 2200-01-01. */
  static final int END_DAY = dayOf(LAST_YEAR + 1, 1, 1);

  static final int SECONDS_PER_DAY = 86_400;

  private static final int DAYS_BEFORE_1970 = 719_468; // since 0000-03-01
  private static final int DAYS_PER_ERA = 146_097; // 400 years
  private static final int THURSDAY = 4; // 1970-01-01

  private Civil() {}

  static int dayOf(int year, int month, int day) {
    int y = month <= 2 ? year - 1 : year;
    int yearOfEra = y % 400;
    int dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return y / 400 * DAYS_PER_ERA + dayOfEra - DAYS_BEFORE_1970;
  }

  /** Year, month and day packed into one number, see {@link #year}, {@link #month}, {@link #day}. */
  static int dateOf(int epochDay) {
    int days = epochDay + DAYS_BEFORE_1970;
    int era = days / DAYS_PER_ERA;
    int dayOfEra = days - era * DAYS_PER_ERA;
    int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
    int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int march = (5 * dayOfYear + 2) / 153;
    int day = dayOfYear - (153 * march + 2) / 5 + 1;
    int month = march < 10 ? march + 3 : march - 9;
    int year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
    return year << 9 | month << 5 | day;
  }

  static int year(int date) {
    return date >> 9;
  }

  static int month(int date) {
    return date >> 5 & 15;
  }

  static int day(int date) {
    return date & 31;
  }

  static int lengthOfMonth(int year, int month) {
    if (month == 2) {
      return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
    }
    return 30 + ((month + (month >> 3)) & 1);
  }

  /** Sunday is 0, for any day from 1970 on. */
  static int weekday(int epochDay) {
    return (epochDay + THURSDAY) % 7;
  }
}
