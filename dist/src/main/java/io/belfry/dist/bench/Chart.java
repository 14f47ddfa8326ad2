package io.belfry.dist.bench;

import java.util.List;
import java.util.Locale;

/** Draws a bar chart as text. Threading: stateless. */
final class Chart {
  private static final int CELLS = 40;

  private Chart() {}

  /** One line per bar. The longest bar fills the width; only a count of zero has no bar. */
  static List<String> lines(List<BenchResult.Bar> bars, boolean unicode) {
    long max = bars.stream().mapToLong(BenchResult.Bar::count).max().orElse(1);
    return bars.stream()
        .map(bar -> String.format(
                Locale.ROOT,
                "%9s %,8d %s",
                bar.label(),
                bar.count(),
                block(bar.count(), max, unicode))
            .stripTrailing())
        .toList();
  }

  private static String block(long count, long max, boolean unicode) {
    long cells = count == 0 ? 0 : Math.max(1, Math.round((double) CELLS * count / max));
    return (unicode ? "█" : "#").repeat((int) cells);
  }
}
