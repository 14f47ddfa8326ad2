package io.belfry.model;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The known word that somebody may have meant. Threading: stateless. */
public final class Suggestion {
  private static final int CHARS_MAX = 200;

  private Suggestion() {}

  /** The nearest of the known words, if one is near enough to have been meant, or else the one that ends with it. */
  public static Optional<String> of(String got, Collection<String> known) {
    if (got.isEmpty() || got.length() > CHARS_MAX) {
      return Optional.empty();
    }
    String word = got.toLowerCase(Locale.ROOT);
    return near(word, known)
        .or(() -> known.stream()
            .filter(each -> each.toLowerCase(Locale.ROOT).endsWith("." + word))
            .min(Comparator.naturalOrder()));
  }

  private static Optional<String> near(String word, Collection<String> known) {
    return known.stream()
        .filter(
            each -> distance(word, each.toLowerCase(Locale.ROOT)) <= Math.max(1, word.length() / 3))
        .min(Comparator.<String>comparingInt(each -> distance(word, each.toLowerCase(Locale.ROOT)))
            .thenComparing(Comparator.naturalOrder()));
  }

  /** How many letters must be added, taken away or changed (Levenshtein). */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
