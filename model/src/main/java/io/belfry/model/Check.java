package io.belfry.model;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Validates values. Every refusal has the same form: the field, the rule and its reason, the given value, the remedy.
 * A valid value builds no message. Threading: stateless.
 */
public final class Check {
  private static final int SHOWN_CHARS = 80;
  private static final int ENTRIES_MAX = 64;
  private static final int KEY_CHARS_MAX = 64;
  private static final int VALUE_CHARS_MAX = 1024;

  private Check() {}

  /** A count with its unit, shown in place of a value that is too long to show. */
  public record Amount(long count, String unit) {
    @Override
    public String toString() {
      return count + " " + unit;
    }
  }

  /** A description of what was found, such as {@code nothing}. Shown without quotes, because the user did not write it. */
  public record Plain(String word) {
    @Override
    public String toString() {
      return word;
    }
  }

  /** For rules whose text is constant. Other checks test first and then throw a {@link #refusal}. */
  public static void that(boolean ok, String field, Object got, String rule, String remedy) {
    if (!ok) {
      throw refusal(field, got, rule, remedy);
    }
  }

  /** Reads: {@code field rule, but was got. remedy} */
  public static InvalidException refusal(String field, Object got, String rule, String remedy) {
    return new InvalidException(
        field, field + " " + rule + ", but was " + shown(got) + ". " + remedy);
  }

  public static int between(String field, int got, int min, int max, String why) {
    if (min <= got && got <= max) {
      return got;
    }
    String rule = "must lie between " + min + " and " + max + ", because " + why;
    throw refusal(field, got, rule, "Set " + field + " to " + Math.clamp(got, min, max) + ".");
  }

  public static Duration between(
      String field, Duration got, Duration min, Duration max, String why) {
    boolean tooShort = got.compareTo(min) < 0;
    if (!tooShort && got.compareTo(max) <= 0) {
      return got;
    }
    String rule = "must lie between " + min + " and " + max + ", because " + why;
    throw refusal(field, got, rule, "Set " + field + " to " + (tooShort ? min : max) + ".");
  }

  /** Not blank, and no longer than {@code max} characters. */
  public static String text(String field, String got, int max) {
    if (got.isBlank()) {
      throw refusal(
          field,
          got,
          "must not be empty, because a value is needed",
          "Give " + field + " a value.");
    }
    return atMost(field, got, max);
  }

  /** Possibly empty, but no longer than {@code max} characters. */
  public static String atMost(String field, String got, int max) {
    if (got.length() <= max) {
      return got;
    }
    String rule = "must have at most " + max + " characters, because stored values are limited";
    throw refusal(field, new Amount(got.length(), "characters"), rule, "Shorten " + field + ".");
  }

  /** Refuses an unpaired surrogate, as in a text that was cut inside a character: UTF-8 encodes every one of them as '?'. */
  public static String whole(String field, String got) {
    int half = halfAt(got);
    if (half < 0) {
      return got;
    }
    throw refusal(
        field,
        new Plain("a text with the unpaired surrogate \\u%04x at index %d"
            .formatted((int) got.charAt(half), half)),
        "must not contain an unpaired surrogate, because it becomes part of a key and keys are UTF-8",
        "Cut the text between characters, not inside one.");
  }

  /** The index of the first unpaired surrogate; -1 if there is none. */
  public static int halfAt(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        boolean pair =
            i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
        if (!pair) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }

  /** A name that becomes part of keys, paths and ids: {@code [a-z0-9][a-z0-9._-]*}. */
  public static String name(String field, String got, int max) {
    if (isName(got, max)) {
      return got;
    }
    String rule = "must be 1 to " + max
        + " characters of a-z, 0-9, '.', '_' and '-', beginning with a letter or"
        + " digit, because it becomes part of keys and addresses";
    throw refusal(field, got, rule, "Write " + field + " in lower case, with '-' between words.");
  }

  /** A sorted copy of labels or metadata, so that it is always serialized in the same order. */
  public static Map<String, String> labels(String field, Map<String, String> got) {
    if (got.isEmpty()) {
      return Map.of();
    }
    that(
        got.size() <= ENTRIES_MAX,
        field,
        new Amount(got.size(), "entries"),
        "must have at most " + ENTRIES_MAX + " entries, because they are stored with every task",
        "Remove the entries that are not needed.");
    got.forEach((key, value) -> {
      text(field + " key", key, KEY_CHARS_MAX);
      atMost(field + "." + key, value, VALUE_CHARS_MAX);
    });
    return Collections.unmodifiableMap(new TreeMap<>(got));
  }

  /** Shortens a text by cutting out its middle. For reported text, which is never refused for its length. */
  public static String clip(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    String cut = " … (" + text.length() + " characters) … ";
    int kept = Math.max(0, max - cut.length());
    int tail = kept / 3;
    return text.substring(0, kept - tail) + cut + text.substring(text.length() - tail);
  }

  /** Whether {@link #name} would accept it. */
  public static boolean isName(String text, int max) {
    if (text.isEmpty() || text.length() > max) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      if (!plain && (i == 0 || (c != '.' && c != '_' && c != '-'))) {
        return false;
      }
    }
    return true;
  }

  private static String shown(Object got) {
    String text = clip(String.valueOf(got), SHOWN_CHARS);
    return got instanceof CharSequence ? '"' + text + '"' : text;
  }
}
