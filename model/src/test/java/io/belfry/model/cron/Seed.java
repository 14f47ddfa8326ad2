package io.belfry.model.cron;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Chance that can be had again: {@code -Dbelfry.seed=N}, or the same number every time. */
final class Seed {

  private static final long USUAL = 20_270_101;

  private Seed() {}

  static long value() {
    String given = System.getProperty("belfry.seed", "");
    return given.isBlank() ? USUAL : Long.parseLong(given);
  }

  /** A generator of its own for each purpose, so that one test does not shift another. */
  static RandomGenerator generator(String purpose) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(value() * 31 + purpose.hashCode());
  }

  /** For the message of a failure. */
  static String hint() {
    return "again with -Dbelfry.seed=" + value();
  }
}
