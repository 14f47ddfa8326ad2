package io.belfry.bench.balance;

import java.util.List;
import java.util.Locale;

/** Compares the mean time from arrival to end on uneven workers: adaptive against least-tasks. */
public final class BalanceBench {
  private static final long SEED = 4_711;

  private BalanceBench() {}

  public static void main(String[] words) {
    boolean json = List.of(words).equals(List.of("--output", "json"));
    var rows = new java.util.ArrayList<String>();
    if (!json) {
      System.out.println("| load | workers | least-tasks s | adaptive s | less |");
      System.out.println("|---|---|---|---|---|");
    }
    for (double load : List.of(0.3, 0.6, 0.8)) {
      for (boolean contended : List.of(false, true)) {
        double least = new UnevenWorkers("least-tasks", SEED, contended).meanSeconds(load);
        double adaptive = new UnevenWorkers("adaptive", SEED, contended).meanSeconds(load);
        String kind = contended ? "slower when full" : "independent places";
        double less = 1 - adaptive / least;
        if (json) {
          rows.add(String.format(
              Locale.ROOT,
              "  {\"load\": %.1f, \"workers\": \"%s\", \"least-tasks s\": %.4f, \"adaptive s\": %.4f, \"less\": %.4f}",
              load,
              kind,
              least,
              adaptive,
              less));
        } else {
          System.out.printf(
              Locale.ROOT,
              "| %.1f | %s | %.3f | %.3f | %.0f %% |%n",
              load,
              kind,
              least,
              adaptive,
              100 * less);
        }
      }
    }
    if (json) {
      System.out.println("[\n" + String.join(",\n", rows) + "\n]");
    }
  }
}
