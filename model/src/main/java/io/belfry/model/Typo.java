package io.belfry.model;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the known word that a mistyped word probably means; for "did you mean" hints. Threading: stateless.
 */
public final class Typo {
  private static final int CHARS_MAX = 200;

  private Typo() {}

  /** The nearest known word, if it is near enough; otherwise the first known word that ends with a dot and the given one. */
  public static Optional<String> correction(String given, Collection<String> known) {
    if (given.isEmpty() || given.length() > CHARS_MAX) {
      return Optional.empty();
    }
    String word = given.toLowerCase(Locale.ROOT);
    return nearest(word, known)
        .or(() -> known.stream()
            .filter(each -> each.toLowerCase(Locale.ROOT).endsWith("." + word))
            .min(Comparator.naturalOrder()));
  }

  private static Optional<String> nearest(String word, Collection<String> known) {
    return known.stream()
        .filter(
            each -> distance(word, each.toLowerCase(Locale.ROOT)) <= Math.max(1, word.length() / 3))
        .min(Comparator.<String>comparingInt(each -> distance(word, each.toLowerCase(Locale.ROOT)))
            .thenComparing(Comparator.naturalOrder()));
  }

  /** Edit distance: letters to insert, delete, replace, or swap with their neighbor (Damerau-Levenshtein, optimal string alignment). */
  private static int distance(String a, String b) {
    int[][] rows = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          rows[i][j] = i + j;
          continue;
        }
        int replaced = rows[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        rows[i][j] = Math.min(replaced, Math.min(rows[i - 1][j], rows[i][j - 1]) + 1);
        if (isSwap(a, i, b, j)) {
          rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
        }
      }
    }
    return rows[a.length()][b.length()];
  }

  private static boolean isSwap(String a, int i, String b, int j) {
    return i > 1
        && j > 1
        && a.charAt(i - 1) == b.charAt(j - 2)
        && a.charAt(i - 2) == b.charAt(j - 1);
  }
}
