package io.belfry.core.calendar;

import io.belfry.model.Check;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads holidays from iCalendar (RFC 5545) events: whole days, once or every year. A property that is not supported and would change
 * the days is refused; every other unknown property is ignored. Threading: confined to the call.
 */
final class HolidayEvents {
  private static final int LEVELS_MAX = 16;

  private final HolidayBook book = new HolidayBook();
  private final Deque<String> open = new ArrayDeque<>();
  private @Nullable Event event;

  /** A content line, unfolded as the standard says. */
  private record Line(int number, String text) {
    String name() {
      int end = 0;
      while (end < text.length() && text.charAt(end) != ';' && text.charAt(end) != ':') {
        end++;
      }
      return text.substring(0, end).toUpperCase(Locale.ROOT);
    }

    String value() {
      int colon = text.indexOf(':');
      if (colon < 0) {
        throw BadLine.at(
            number,
            "a line must have a colon after its name, but is \"" + Check.clip(text, 40)
                + "\". The file may be cut or not be iCalendar.");
      }
      return text.substring(colon + 1);
    }
  }

  private static final class Event {
    private final int line;
    private @Nullable LocalDate first;
    private @Nullable LocalDate end;
    private String name = "";
    private boolean yearly;
    private boolean cancelled;

    Event(int line) {
      this.line = line;
    }
  }

  Holidays read(List<String> lines) {
    for (Line line : unfolded(lines)) {
      take(line);
    }
    if (!open.isEmpty()) {
      throw BadLine.at(
          Math.max(1, lines.size()),
          "END:" + open.peek()
              + " must follow before the file ends. The file may be cut: fetch it again.");
    }
    return book.done();
  }

  private void take(Line line) {
    switch (line.name()) {
      case "BEGIN" -> begin(line);
      case "END" -> end(line);
      default -> {
        // A property of an alarm or a time zone, inside or beside the event, does not define days.
        if (event != null && "VEVENT".equals(open.peek())) {
          property(event, line);
        }
      }
    }
  }

  private void begin(Line line) {
    String component = line.value().strip().toUpperCase(Locale.ROOT);
    if (open.size() == LEVELS_MAX) {
      throw BadLine.at(
          line.number(), "components must not be nested deeper than " + LEVELS_MAX + " levels.");
    }
    open.push(component);
    if (component.equals("VEVENT")) {
      event = new Event(line.number());
    }
  }

  private void end(Line line) {
    String component = line.value().strip().toUpperCase(Locale.ROOT);
    if (!component.equals(open.poll())) {
      throw BadLine.at(
          line.number(),
          "END:" + component
              + " must close the component that was opened last. The file is damaged.");
    }
    if (component.equals("VEVENT") && event != null) {
      add(event);
      event = null;
    }
  }

  private static void property(Event event, Line line) {
    switch (line.name()) {
      case "DTSTART" -> event.first = date(line);
      case "DTEND" -> event.end = date(line);
      case "SUMMARY" -> event.name = unescaped(line.value());
      case "STATUS" -> event.cancelled = line.value().strip().equalsIgnoreCase("CANCELLED");
      case "RRULE" -> event.yearly = isYearly(line);
      case "DURATION", "RDATE", "EXDATE", "EXRULE", "RECURRENCE-ID" ->
        throw BadLine.at(
            line.number(),
            line.name() + " is not supported, and ignoring it would give other days."
                + " Write the event with DTSTART and DTEND, once for each year.");
      default -> {
        // Descriptions, classes, stamps and the like.
      }
    }
  }

  private static LocalDate date(Line line) {
    String value = line.value().strip();
    try {
      return LocalDate.parse(value, DateTimeFormatter.BASIC_ISO_DATE);
    } catch (DateTimeException e) {
      throw BadLine.at(
          line.number(),
          line.name()
              + " must be a whole day such as VALUE=DATE:20271225, because a calendar knows only days, but was \""
              + Check.clip(value, 40) + "\". Write the day without a time.");
    }
  }

  private static boolean isYearly(Line line) {
    String rule = line.value().strip();
    if (!rule.equalsIgnoreCase("FREQ=YEARLY") && !rule.equalsIgnoreCase("FREQ=YEARLY;INTERVAL=1")) {
      throw BadLine.at(
          line.number(),
          "RRULE must be FREQ=YEARLY, because other recurrences are not supported, but was \""
              + Check.clip(rule, 60) + "\". Write the event once for each year.");
    }
    return true;
  }

  private void add(Event done) {
    LocalDate first = done.first;
    if (first == null) {
      throw BadLine.at(done.line, "the event must have DTSTART, because it defines the day.");
    }
    if (done.cancelled) {
      return;
    }
    // DTEND is exclusive; some files write the same day as the start.
    LocalDate last = done.end == null || done.end.equals(first) ? first : done.end.minusDays(1);
    if (done.yearly) {
      book.addYearly(done.line, first, last, done.name);
    } else {
      book.add(done.line, first, last, done.name);
    }
  }

  private static List<Line> unfolded(List<String> lines) {
    List<Line> whole = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    int number = 1;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      boolean continues = line.startsWith(" ") || line.startsWith("\t");
      if (!continues) {
        addTo(whole, number, text);
        number = i + 1;
      }
      text.append(line, continues ? 1 : 0, line.length());
    }
    addTo(whole, number, text);
    return whole;
  }

  private static void addTo(List<Line> whole, int number, StringBuilder text) {
    if (!text.toString().isBlank()) {
      whole.add(new Line(number, text.toString()));
    }
    text.setLength(0);
  }

  private static String unescaped(String text) {
    return text.replace("\\n", " ")
        .replace("\\N", " ")
        .replace("\\,", ",")
        .replace("\\;", ";")
        .replace("\\\\", "\\")
        .strip();
  }
}
