package io.belfry.executors.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Which known word was probably meant. Threading: stateless. */
final class Closest {
  private static final int TYPING_ERRORS_MAX = 3;
  private static final int CHARS_MAX = 64;

  private Closest() {}

  static Optional<String> to(String given, Collection<String> known) {
    if (given.length() > CHARS_MAX) {
      return Optional.empty();
    }
    return known.stream()
        .filter(word -> distance(given, word) <= Math.min(TYPING_ERRORS_MAX, word.length() / 2))
        .min(Comparator.comparingInt((String word) -> distance(given, word))
            .thenComparing(Comparator.naturalOrder()));
  }

  /** How many letters must be put in, taken out or changed, whatever their case. */
  private static int distance(String one, String other) {
    String a = one.toLowerCase(Locale.ROOT);
    String b = other.toLowerCase(Locale.ROOT);
    int[] last = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int changed = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(changed, 1 + Math.min(last[j], row[j - 1]));
      }
      last = row;
    }
    return last[b.length()];
  }
}
