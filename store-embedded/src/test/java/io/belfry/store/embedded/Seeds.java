package io.belfry.store.embedded;

import java.util.Random;

/** Chance that can be repeated: {@code -Dbelfry.seed=N}. */
final class Seeds {
  private Seeds() {}

  static Random random(String test) {
    String given = System.getProperty("belfry.seed", "");
    long seed = given.isEmpty()
        ? ProcessHandle.current().pid() * 7919L + test.hashCode()
        : Long.parseLong(given);
    System.out.println(test + ": seed " + seed);
    return new Random(seed);
  }
}
