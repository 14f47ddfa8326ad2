package io.belfry.cli.verb;

import io.belfry.model.time.Time;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times and durations as people type them. Threading: stateless. */
public final class Times {
  private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
  private static final Pattern WHOLE = Pattern.compile("(\\d{1,9}(ms|s|m|h|d))+");

  private Times() {}

  /**
   * With an offset, local to the zone, or a day; or as far from now as {@code -2h} and {@code +10m} say.
   *
   * @return nothing if it cannot be understood
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

  /** {@code 500ms}, {@code 30s}, {@code 1h30m}, {@code 7d} or ISO-8601; nothing if it is none of these. */
  public static Optional<Duration> duration(String text) {
    if (WHOLE.matcher(text).matches()) {
      Duration sum = Duration.ZERO;
      Matcher parts = PART.matcher(text);
      while (parts.find()) {
        long count = Long.parseLong(parts.group(1));
        sum = sum.plus(
            switch (parts.group(2)) {
              case "ms" -> Duration.ofMillis(count);
              case "s" -> Duration.ofSeconds(count);
              case "m" -> Duration.ofMinutes(count);
              case "h" -> Duration.ofHours(count);
              default -> Duration.ofDays(count);
            });
      }
      return Optional.of(sum);
    }
    try {
      return text.startsWith("P") ? Optional.of(Duration.parse(text)) : Optional.empty();
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
