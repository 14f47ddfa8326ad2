package io.belfry.dist.bench;

import java.util.List;
import java.util.Locale;

/** Bars beside their numbers. Threading: stateless. */
final class Chart {
  private static final int CELLS = 40;

  private Chart() {}

  /** One line for each; the longest bar fills its space, and nothing but nothing has no bar. */
  static List<String> lines(List<Figures.Bar> bars, boolean unicode) {
    long most = bars.stream().mapToLong(Figures.Bar::count).max().orElse(1);
    return bars.stream()
        .map(bar -> String.format(
                Locale.ROOT,
                "%9s %,8d %s",
                bar.label(),
                bar.count(),
                block(bar.count(), most, unicode))
            .stripTrailing())
        .toList();
  }

  private static String block(long count, long most, boolean unicode) {
    long cells = count == 0 ? 0 : Math.max(1, Math.round((double) CELLS * count / most));
    return (unicode ? "█" : "#").repeat((int) cells);
  }
}
