package io.belfry.core.calendar;

import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.MonthDay;
import java.util.List;

/** Reads the plain format: {@code day [name]} per line; a day is a date, {@code from/to}, or month-day for every year. Threading: stateless. */
final class HolidayLines {
  private static final int MONTH_DAY_CHARS = 5;

  private HolidayLines() {}

  static Holidays read(List<String> lines) {
    HolidayBook book = new HolidayBook();
    for (int i = 0; i < lines.size(); i++) {
      String line = withoutComment(lines.get(i)).strip();
      if (!line.isEmpty()) {
        read(i + 1, line, book);
      }
    }
    return book.done();
  }

  private static void read(int number, String line, HolidayBook book) {
    String[] words = line.split("\\s+", 2);
    String name = words.length > 1 ? words[1] : "";
    try {
      if (words[0].length() == MONTH_DAY_CHARS) {
        book.addYearly(number, MonthDay.parse("--" + words[0]), name);
      } else {
        String[] ends = words[0].split("/", -1);
        LocalDate first = LocalDate.parse(ends[0]);
        LocalDate last = ends.length == 2 ? LocalDate.parse(ends[1]) : first;
        if (ends.length > 2) {
          throw malformed(number, words[0]);
        }
        book.add(number, first, last, name);
      }
    } catch (DateTimeException e) {
      throw malformed(number, words[0]);
    }
  }

  private static InvalidException malformed(int number, String given) {
    return BadLine.at(
        number,
        "a line must begin with a day that exists, such as 2027-12-25, 2027-12-24/2027-12-26 or 12-25 for every year,"
            + " but begins with \"" + Check.clip(given, 40)
            + "\". Correct the line, or comment it out with #.");
  }

  private static String withoutComment(String line) {
    int hash = line.indexOf('#');
    return hash < 0 ? line : line.substring(0, hash);
  }
}
