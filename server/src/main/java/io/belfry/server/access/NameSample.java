package io.belfry.server.access;

import io.belfry.model.Check;
import java.util.LinkedHashSet;
import java.util.Set;

/** The first few names of the callers that are summed up in one audit log entry. Threading: confined to its owner's lock. */
final class NameSample {
  private static final int NAMED_MAX = 50;
  private static final int CHARS_MAX = 64;

  private final Set<String> names = new LinkedHashSet<>();
  private boolean more;

  void add(String name) {
    if (names.size() < NAMED_MAX) {
      names.add(Check.clip(name, CHARS_MAX));
    } else {
      more |= !names.contains(Check.clip(name, CHARS_MAX));
    }
  }

  @Override
  public String toString() {
    return String.join(", ", names) + (more ? " and others" : "");
  }
}
