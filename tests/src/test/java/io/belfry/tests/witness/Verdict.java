package io.belfry.tests.witness;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the checker found.
 *
 * @param expected due instants and acknowledged submits
 * @param ran of them, those that ended as they should
 * @param skipped instants beside them that were taken back, with a reason, when their job was switched off
 * @param reruns starts beyond the first of a task, by what had befallen the process that had it
 * @param lateEnds ends of attempts that had been replaced, and were not accepted
 * @param turnedAway starts of such attempts, which the ledger's fence did not let through
 * @param givenUp tasks beside those expected that were taken from lost processes too often, and failed
 * @param quiet those that were due while nothing was disturbed, and so had to begin within the shorter bound
 * @param policies outcomes beside those expected that a job's policy asks for, such as a skip because of overlap
 */
record Verdict(
    int expected,
    int ran,
    Map<String, Integer> skipped,
    Map<String, Integer> reruns,
    int lateEnds,
    int turnedAway,
    int givenUp,
    int quiet,
    Map<String, Integer> policies,
    Map<Kind, List<String>> found) {

  enum Kind {
    /** Two ends of one attempt, two accepted ends of one task, two tasks of one key, or a second start that nothing excuses. */
    DUPLICATE,
    /** A due instant or an acknowledged submit without its end, or an acknowledged cancel without effect. */
    LOST,
    /** Began before its time. */
    EARLY,
    /** Began later than the run allows. */
    LATE,
    /** Ran although nothing was due then, before the job was there, after it had been switched off, or although it was refused. */
    PHANTOM,
    /** A result under an old token was accepted. */
    STALE,
    /** A term with two leaders, or writes in a term after the next was won. */
    TWO_LEADERS,
    /** Two tasks of a job at once although its overlap policy forbids it. */
    OVERLAP,
    /** More tasks at once, or more starts in a time, than a limit allows. */
    LIMIT,
    /** History and ledger do not tell the same. */
    LIE,
    /** Left behind when everything should have come to rest. */
    UNRECOVERED
  }

  Verdict {
    skipped = Map.copyOf(skipped);
    reruns = Map.copyOf(reruns);
    policies = Map.copyOf(policies);
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

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** For people: every count, the bound that so many without a finding give, and the first findings of each kind. */
  String text() {
    var text = new StringBuilder();
    text.append(
        "due %,d, of which in quiet %,d · ran %,d · taken back at the end %,d · given up after four lost processes %,d · run again %,d %s · late starts turned away %,d, late ends refused %,d%n"
            .formatted(
                expected,
                quiet,
                ran,
                sum(skipped),
                givenUp,
                sum(reruns),
                reruns.isEmpty() ? "" : reruns,
                turnedAway,
                lateEnds));
    if (!policies.isEmpty()) {
      text.append("by policy: %s%n".formatted(new TreeMap<>(policies)));
    }
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
