package io.belfry.server.config;

import io.belfry.model.Check;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats sizes in bytes: {@code 512}, {@code 64KiB}, {@code 1MiB}. Threading: stateless. */
final class Sizes {
  private static final Pattern FORM = Pattern.compile("(\\d{1,15})\\s*(b|kib|mib|gib|k|m|g|)");
  private static final Map<String, Long> UNITS = Map.of(
      "", 1L, "b", 1L, "k", 1L << 10, "kib", 1L << 10, "m", 1L << 20, "mib", 1L << 20, "g",
      1L << 30, "gib", 1L << 30);

  private Sizes() {}

  static Long parse(String field, String text) {
    Matcher form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (form.matches()) {
      try {
        Long unit = java.util.Objects.requireNonNull(UNITS.get(form.group(2)));
        return Math.multiplyExact(Long.parseLong(form.group(1)), unit);
      } catch (ArithmeticException e) {
        throw refusal(field, text);
      }
    }
    throw refusal(field, text);
  }

  private static RuntimeException refusal(String field, String text) {
    return Check.refusal(
        field,
        text,
        "must be a size, because it limits memory or disk usage",
        "Write for example 65536, 64KiB or 1MiB.");
  }

  static String show(Long bytes) {
    if (bytes > 0 && bytes % (1L << 30) == 0) {
      return (bytes >> 30) + "GiB";
    }
    if (bytes > 0 && bytes % (1L << 20) == 0) {
      return (bytes >> 20) + "MiB";
    }
    return bytes > 0 && bytes % (1L << 10) == 0 ? (bytes >> 10) + "KiB" : Long.toString(bytes);
  }
}
