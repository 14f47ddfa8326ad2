package io.belfry.model;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.Locale;

/**
 * The name of an enum constant in YAML, JSON and the UI: {@code TOO_OLD} is {@code too-old}.
 * Threading: stateless.
 */
public final class WireName {
  private WireName() {}

  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Parses a name, ignoring case. The refusal lists the valid names. */
  public static <E extends Enum<E>> E parse(Class<E> type, String field, String text) {
    E[] all = type.getEnumConstants();
    for (E constant : all) {
      if (of(constant).equalsIgnoreCase(text.strip())) {
        return constant;
      }
    }
    String words = Arrays.stream(all).map(WireName::of).collect(joining(", "));
    throw Check.refusal(
        field,
        text,
        "must be one of " + words + ", because other values have no meaning here",
        "Choose one of them.");
  }
}
