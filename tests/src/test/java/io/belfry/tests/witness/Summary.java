package io.belfry.tests.witness;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What came of several runs together, as rows of a table for docs/reliability.md. Threading: confined. */
final class Summary {
  static final String HEAD =
      "| engine | commit | seed | faults | due | ran | by policy | run again | late ends refused | findings | fewer than (95 %) |\n"
          + "|---|---|---|---|---|---|---|---|---|---|---|";

  private final String engine;
  private final String commit;
  private final Map<Fault, Integer> struck = new EnumMap<>(Fault.class);
  private final Map<String, Integer> policies = new TreeMap<>();
  private final Map<Verdict.Kind, Integer> found = new EnumMap<>(Verdict.Kind.class);
  private int runs;
  private long due;
  private long ran;
  private long reruns;
  private long refused;

  Summary(String engine, String commit) {
    this.engine = engine;
    this.commit = commit;
  }

  /** Adds a run. */
  void add(Trial.Outcome outcome) {
    Verdict verdict = outcome.verdict();
    runs++;
    due += verdict.expected();
    ran += verdict.ran();
    reruns += sum(verdict.reruns());
    refused += verdict.lateEnds();
    outcome.struck().forEach((fault, times) -> struck.merge(fault, times, Integer::sum));
    verdict.policies().forEach((what, times) -> policies.merge(what, times, Integer::sum));
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      if (!verdict.of(kind).isEmpty()) {
        found.merge(kind, verdict.of(kind).size(), Integer::sum);
      }
    }
  }

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Of everything that was added. */
  String row(String seed) {
    String faults = Arrays.stream(Fault.values())
        .filter(struck::containsKey)
        .map(fault -> fault + "×" + struck.get(fault))
        .collect(Collectors.joining(" "));
    String findings = found.isEmpty()
        ? "none"
        : found.entrySet().stream()
            .map(each -> each.getKey().name().toLowerCase(Locale.ROOT) + " " + each.getValue())
            .collect(Collectors.joining(", "));
    String bound = found.isEmpty() && due > 0 ? String.format(Locale.ROOT, "%.1e", 3.0 / due) : "";
    return String.format(
        Locale.ROOT,
        "| %s | %s | %s | %s | %,d | %,d | %s | %,d | %,d | %s | %s |",
        engine,
        commit,
        seed,
        faults,
        due,
        ran,
        policies.entrySet().stream()
            .map(each -> each.getKey() + " " + each.getValue())
            .collect(Collectors.joining(", ")),
        reruns,
        refused,
        findings,
        bound);
  }

  int runs() {
    return runs;
  }
}
