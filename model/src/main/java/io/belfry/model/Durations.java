package io.belfry.model;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats durations: {@code 500ms}, {@code 30s}, {@code 1h30m}, {@code 7d}, or ISO-8601. Threading: stateless. */
public final class Durations {
  private static final Pattern PART = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");
  private static final Pattern WHOLE = Pattern.compile("(\\d{1,12}(ms|s|m|h|d)){1,9}");
  private static final Map<String, Duration> UNITS = units();
  private static final Duration LONGEST = Duration.ofDays(36_525);

  private Durations() {}

  private static Map<String, Duration> units() {
    var units = new LinkedHashMap<String, Duration>();
    units.put("d", Duration.ofDays(1));
    units.put("h", Duration.ofHours(1));
    units.put("m", Duration.ofMinutes(1));
    units.put("s", Duration.ofSeconds(1));
    units.put("ms", Duration.ofMillis(1));
    return units;
  }

  /** Parses the text; a refusal names the field. */
  public static Duration parse(String field, String text) {
    Duration read = read(field, text);
    // The sum of several such durations still fits a long, even in nanoseconds.
    if (read.abs().compareTo(LONGEST) > 0) {
      throw Check.refusal(
          field, text, "must be at most " + LONGEST.toDays() + "d, a hundred years", "Shorten it.");
    }
    return read;
  }

  private static Duration read(String field, String text) {
    try {
      if (WHOLE.matcher(text).matches()) {
        return sum(text);
      }
      if (text.startsWith("P") || text.startsWith("p")) {
        return Duration.parse(text);
      }
    } catch (ArithmeticException | DateTimeException e) {
      throw refusal(field, text);
    }
    throw refusal(field, text);
  }

  private static Duration sum(String text) {
    Duration sum = Duration.ZERO;
    Matcher parts = PART.matcher(text);
    while (parts.find()) {
      Duration unit = Objects.requireNonNull(UNITS.get(parts.group(2)));
      sum = sum.plus(unit.multipliedBy(Long.parseLong(parts.group(1))));
    }
    return sum;
  }

  private static RuntimeException refusal(String field, String text) {
    return Check.refusal(
        field,
        text,
        "must be a duration with a unit, because a bare number is ambiguous",
        "Write for example 500ms, 30s, 5m, 1h30m, 7d or PT30S.");
  }

  /** The shortest of these forms that is exactly equal. */
  public static String show(Duration duration) {
    if (duration.isNegative() || duration.toNanosPart() % 1_000_000 != 0) {
      return duration.toString();
    }
    var text = new StringBuilder();
    Duration left = duration;
    for (Map.Entry<String, Duration> unit : UNITS.entrySet()) {
      long count = left.dividedBy(unit.getValue());
      if (count > 0) {
        text.append(count).append(unit.getKey());
        left = left.minus(unit.getValue().multipliedBy(count));
      }
    }
    return text.isEmpty() ? "0s" : text.toString();
  }
}
