package io.belfry.tests.witness;

import io.belfry.tests.witness.Verdict.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What is wrong. Threading: confined to one check. */
final class Findings {
  private final Map<Kind, List<String>> found = new EnumMap<>(Kind.class);

  void note(Kind kind, String what) {
    found.computeIfAbsent(kind, k -> new ArrayList<>()).add(what);
  }

  Map<Kind, List<String>> all() {
    return found;
  }
}
