package io.belfry.testkit;

import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Runs a law with many random seeds, and reports the seed of a failure. {@code -Dbelfry.seed=N} runs only that seed.
 *
 * <p>Threading: stateless.
 */
public final class Seeds {
  private Seeds() {}

  public static void each(int cases, Consumer<RandomGenerator> law) {
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
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      throw new AssertionError("fails with -Dbelfry.seed=" + seed + ": " + e, e);
    }
  }

  @SafeVarargs
  public static <T> T oneOf(RandomGenerator random, T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
