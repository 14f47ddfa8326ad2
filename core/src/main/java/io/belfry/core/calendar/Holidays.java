package io.belfry.core.calendar;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.MonthDay;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Public holidays with their names, as read from a file: iCalendar, or one day per line. Names may be empty.
 *
 * <pre>
 *   2027-01-01 New Year                BEGIN:VEVENT
 *   2027-12-24/2027-12-26 Christmas    DTSTART;VALUE=DATE:20270101
 *   05-01 Labour Day   # every year    RRULE:FREQ=YEARLY
 * </pre>
 *
 * @param dates days of a given year
 * @param yearly days of every year
 */
public record Holidays(SortedMap<LocalDate, String> dates, SortedMap<MonthDay, String> yearly) {
  public static final int BYTES_MAX = 1024 * 1024;
  public static final Holidays NONE = new Holidays(new TreeMap<>(), new TreeMap<>());

  public Holidays {
    dates = Collections.unmodifiableSortedMap(new TreeMap<>(dates));
    yearly = Collections.unmodifiableSortedMap(new TreeMap<>(yearly));
  }

  /**
   * Reads a file in either format; its first line tells which.
   *
   * @throws io.belfry.model.InvalidException with the number of the invalid line; nothing is read in part
   */
  public static Holidays read(byte[] file) {
    if (file.length > BYTES_MAX) {
      throw BadLine.at(
          1,
          "the file must have at most " + BYTES_MAX
              + " bytes, because it is kept as one record, but has " + file.length
              + ". Remove past years.");
    }
    List<String> lines = text(file).lines().toList();
    Optional<String> first = lines.stream().filter(line -> !line.isBlank()).findFirst();
    boolean isCalendar =
        first.filter(line -> line.strip().equalsIgnoreCase("BEGIN:VCALENDAR")).isPresent();
    return isCalendar ? new HolidayEvents().read(lines) : HolidayLines.read(lines);
  }

  /** The holidays as sets of days for a calendar's rules. */
  public List<Days> days() {
    List<Days> days = new ArrayList<>(2);
    if (!dates.isEmpty()) {
      days.add(new Days.Dates(dates.keySet()));
    }
    if (!yearly.isEmpty()) {
      days.add(new Days.Yearly(yearly.keySet()));
    }
    return days;
  }

  /** The name of the holiday on this day, if it is one; a name for this very year takes precedence. */
  public Optional<String> name(LocalDate date) {
    return Optional.ofNullable(dates.get(date))
        .or(() -> Optional.ofNullable(yearly.get(MonthDay.from(date))));
  }

  private static String text(byte[] file) {
    try {
      String text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(file)).toString();
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw BadLine.at(
          1, "the file must be UTF-8 text, because users see its names. Convert it first.");
    }
  }
}
