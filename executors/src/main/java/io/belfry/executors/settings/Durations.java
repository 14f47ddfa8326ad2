package io.belfry.executors.settings;

import io.belfry.model.Check;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms}, {@code 30s}, {@code 5m}, {@code PT1H30M}. Threading: stateless. */
final class Durations {
  private static final Pattern SHORT = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

  private Durations() {}

  static Duration parse(String field, String text) {
    Matcher written = SHORT.matcher(text);
    if (written.matches()) {
      long count = Long.parseLong(written.group(1));
      return switch (written.group(2)) {
        case "ms" -> Duration.ofMillis(count);
        case "s" -> Duration.ofSeconds(count);
        case "m" -> Duration.ofMinutes(count);
        case "h" -> Duration.ofHours(count);
        default -> Duration.ofDays(count);
      };
    }
    try {
      return Duration.parse(text);
    } catch (DateTimeException e) {
      throw Check.refusal(
          field,
          text,
          "must be a duration, because it says how long to wait",
          "Write it like 500ms, 30s, 5m or PT30S.");
    }
  }
}
