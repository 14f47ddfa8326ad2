package io.belfry.tests.simulation;

/**
 * A bug to be planted.
 *
 * @param file below {@code core/src/main/java} or {@code tests/src/test/java}, such as {@code io/belfry/core/lead/Elections.java}
 * @param original occurs exactly once in the file
 */
record Mutant(String name, String file, String original, String replacement) {

  /** The source with the bug in it. Says so when the text has moved on: a mutant that changes nothing proves nothing. */
  String applyTo(String source) {
    int first = source.indexOf(original);
    if (first < 0 || source.indexOf(original, first + 1) >= 0) {
      throw new IllegalArgumentException(
          "The mutant '" + name + "' replaces a text that must occur exactly once in " + file
              + ", so that it is clear what is broken, but it occurs "
              + (first < 0 ? "nowhere" : "more than once")
              + ":\n" + original + "\nFollow the change of the source.");
    }
    return source.substring(0, first) + replacement + source.substring(first + original.length());
  }
}
