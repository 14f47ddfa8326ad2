package io.belfry.core.retain;

import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Runs a law on many seeds, and on failure says which one. {@code -Dbelfry.seed=N} runs just that one. */
final class Seeds {
  private Seeds() {}

  static void each(int cases, Consumer<RandomGenerator> law) {
    String chosen = System.getProperty("belfry.seed", "");
    if (!chosen.isBlank()) {
      one(Long.parseLong(chosen), law);
      return;
    }
    for (long seed = 1; seed <= cases; seed++) {
      one(seed, law);
    }
  }

  private static void one(long seed, Consumer<RandomGenerator> law) {
    try {
      law.accept(new SplittableRandom(seed));
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("fails with -Dbelfry.seed=" + seed + ": " + e.getMessage(), e);
    }
  }
}
