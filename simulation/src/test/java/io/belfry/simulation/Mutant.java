package io.belfry.simulation;

import java.util.List;

/**
 * A bug to be planted. One that two lines of defence keep harmless takes two edits: it is planted by removing both.
 */
record Mutant(String name, List<Edit> edits) {

  /**
   * A change of one source.
   *
   * @param file below {@code core/src/main/java} or {@code simulation/src/test/java}, such as {@code io/belfry/core/election/Election.java}
   * @param original occurs exactly once in the file
   */
  record Edit(String file, String original, String replacement) {}

  Mutant(String name, String file, String original, String replacement) {
    this(name, List.of(new Edit(file, original, replacement)));
  }

  /** The source with the bug in it. Says so when the text has moved on: a mutant that changes nothing proves nothing. */
  String applyTo(String source, Edit edit) {
    int first = source.indexOf(edit.original);
    if (first < 0 || source.indexOf(edit.original, first + 1) >= 0) {
      throw new IllegalArgumentException(
          "The mutant '" + name + "' replaces a text that must occur exactly once in " + edit.file
              + ", so that it is clear what is broken, but it occurs "
              + (first < 0 ? "nowhere" : "more than once")
              + ":\n" + edit.original + "\nFollow the change of the source.");
    }
    return source.substring(0, first)
        + edit.replacement
        + source.substring(first + edit.original.length());
  }
}
