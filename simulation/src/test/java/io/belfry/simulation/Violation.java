package io.belfry.simulation;

/** A law was broken. Says which, under what seed, how to see it again, and what came before. */
final class Violation extends AssertionError {
  private static final long serialVersionUID = 1;
  private final String law;
  private final long seed;

  Violation(String law, String what, World world, Throwable cause) {
    super(words(law, what, world), cause);
    this.law = law;
    this.seed = world.seed();
  }

  Violation(String law, String what, World world) {
    super(words(law, what, world));
    this.law = law;
    this.seed = world.seed();
  }

  /** Its number and its words, such as {@code I5 terms only grow}. */
  String law() {
    return law;
  }

  long seed() {
    return seed;
  }

  private static String words(String law, String what, World world) {
    return law + ": " + what + "\n  seed " + world.seed() + "; to see it again: " + world.command()
        + "\n" + world.trace().show();
  }
}
