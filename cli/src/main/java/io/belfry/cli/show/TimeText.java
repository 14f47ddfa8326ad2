package io.belfry.cli.show;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Formats times for people. Threading: immutable.
 *
 * @param clock read for each time, because waiting for the server takes time
 */
public record TimeText(Supplier<Instant> clock, Style style, ZoneId zone) {
  /** How a time is written. */
  public enum Style {
    /** {@code 3m ago}, {@code in 2h}. */
    RELATIVE,
    /** Date and time in the zone of this machine. */
    LOCAL,
    UTC
  }

  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT);
  private static final int DAYS_MAX = 60;
  /** Clock skew between two machines that is hidden from the user. */
  private static final Duration SKEW = Duration.ofMinutes(1);

  public Instant now() {
    return clock.get();
  }

  /** Formats a time of the API; returns other text unchanged. */
  public String format(String iso) {
    try {
      return format(Instant.parse(iso));
    } catch (DateTimeException e) {
      return iso;
    }
  }

  /** Formats a time in the past. A time slightly ahead, from a clock that is fast, is "just now". */
  public String formatPast(String iso) {
    try {
      Instant at = Instant.parse(iso);
      Duration ahead = Duration.between(now(), at);
      boolean now = ahead.compareTo(Duration.ofSeconds(-1)) > 0 && ahead.compareTo(SKEW) <= 0;
      return style == Style.RELATIVE && now ? "just now" : format(at);
    } catch (DateTimeException e) {
      return iso;
    }
  }

  public String format(Instant at) {
    return switch (style) {
      case RELATIVE -> relative(at);
      case LOCAL -> LOCAL.format(at.atZone(zone));
      case UTC -> LOCAL.format(at.atZone(ZoneOffset.UTC)) + "Z";
    };
  }

  private String relative(Instant at) {
    Duration ahead = Duration.between(now(), at);
    Duration distance = ahead.abs();
    if (distance.toDays() > DAYS_MAX) {
      return DAY.format(at.atZone(zone));
    }
    if (distance.toSeconds() == 0) {
      return "now";
    }
    return ahead.isNegative() ? coarse(distance) + " ago" : "in " + coarse(distance);
  }

  private static String coarse(Duration time) {
    if (time.toSeconds() < 60) {
      return time.toSeconds() + "s";
    }
    if (time.toMinutes() < 60) {
      return time.toMinutes() + "m";
    }
    return time.toHours() < 48 ? time.toHours() + "h" : time.toDays() + "d";
  }

  /** Formats a duration. */
  public static String duration(Duration time) {
    if (time.isNegative()) {
      return "";
    }
    long millis = time.toMillis();
    if (millis < 1_000) {
      return millis + "ms";
    }
    if (millis < 60_000) {
      return String.format(Locale.ROOT, "%.1fs", Math.floor(millis / 100.0) / 10);
    }
    if (time.toMinutes() < 60) {
      return time.toMinutes() + "m" + two(time.toSecondsPart()) + "s";
    }
    return time.toHours() + "h" + two(time.toMinutesPart()) + "m";
  }

  private static String two(int number) {
    return number < 10 ? "0" + number : Integer.toString(number);
  }
}
