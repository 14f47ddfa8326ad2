package io.belfry.cli.verb;

import io.belfry.model.Durations;
import io.belfry.model.InvalidException;
import io.belfry.model.time.Time;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Parses times and durations that users type. Threading: stateless. */
public final class Times {
  private Times() {}

  /**
   * Parses a time with an offset, a time local to the zone, a day, or a distance from now such as {@code -2h} and {@code +10m}.
   *
   * @return empty if the text is none of these
   */
  public static Optional<Instant> parse(String text, Time time, ZoneId zone) {
    String sign = text.isEmpty() ? "" : text.substring(0, 1);
    if (sign.equals("-") || sign.equals("+")) {
      return duration(text.substring(1))
          .map(distance ->
              sign.equals("-") ? time.wall().minus(distance) : time.wall().plus(distance));
    }
    try {
      return switch (DateTimeFormatter.ISO_DATE_TIME
          .withZone(zone)
          .parseBest(
              text.length() == 10 ? text + "T00:00:00" : text,
              ZonedDateTime::from,
              LocalDateTime::from)) {
        case ZonedDateTime zoned -> Optional.of(zoned.toInstant());
        case LocalDateTime local -> Optional.of(local.atZone(zone).toInstant());
        default -> Optional.empty();
      };
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** {@code 500ms}, {@code 30s}, {@code 1h30m}, {@code 7d} or ISO-8601; empty if the text is none of these. */
  public static Optional<Duration> duration(String text) {
    try {
      return Optional.of(Durations.parse("duration", text));
    } catch (InvalidException e) {
      return Optional.empty();
    }
  }
}
