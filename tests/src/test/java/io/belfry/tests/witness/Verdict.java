package io.belfry.tests.witness;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What the checker found.
 *
 * @param expected due instants
 * @param ran of them, those that ran
 * @param skipped of them, those with a recorded reason, by reason
 * @param reruns starts beyond the first of a task: workers that died cost them
 * @param lateEnds ends of attempts that had been replaced, and were not accepted
 */
record Verdict(
    int expected,
    int ran,
    Map<String, Integer> skipped,
    int reruns,
    int lateEnds,
    Map<Kind, List<String>> found) {

  enum Kind {
    /** Two ends of one attempt, or two accepted ends of one task. */
    DUPLICATE,
    /** A due instant with neither an end nor a reason. */
    LOST,
    /** Began before its time. */
    EARLY,
    /** Ran although nothing was due then, or after the job had been switched off. */
    PHANTOM,
    /** A result under an old token was accepted. */
    STALE,
    TWO_LEADERS,
    /** History and ledger do not tell the same. */
    LIE,
    UNRECOVERED
  }

  Verdict {
    skipped = Map.copyOf(skipped);
    var copy = new EnumMap<Kind, List<String>>(Kind.class);
    copy.putAll(found);
    found = copy;
  }

  boolean clean() {
    return found.values().stream().allMatch(List::isEmpty);
  }

  List<String> of(Kind kind) {
    return found.getOrDefault(kind, List.of());
  }

  /** For people: every count, the bound that so many without a finding give, and the first findings of each kind. */
  String text() {
    var text = new StringBuilder();
    text.append(
        "due %,d · ran %,d · skipped with a reason %,d %s · run again %,d · late ends refused %,d%n"
            .formatted(
                expected,
                ran,
                skipped.values().stream().mapToInt(Integer::intValue).sum(),
                skipped.isEmpty() ? "" : skipped,
                reruns,
                lateEnds));
    for (Kind kind : Kind.values()) {
      List<String> all = of(kind);
      text.append(
          "  %-12s %,d".formatted(kind.name().toLowerCase(java.util.Locale.ROOT), all.size()));
      all.stream().limit(5).forEach(each -> text.append("\n      ").append(each));
      text.append('\n');
    }
    if (clean() && expected > 0) {
      text.append("nothing found in %,d: with 95 %% confidence less than %.1e of fires%n"
          .formatted(expected, 3.0 / expected));
    }
    return text.toString();
  }
}
