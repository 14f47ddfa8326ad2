package io.belfry.tests.witness;

import io.belfry.tests.witness.LedgerLine.What;
import io.belfry.tests.witness.Verdict.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds the ledger against the promises and against what Belfry tells. Threading: confined to one check.
 */
final class Checker {
  private final Duration clockError;
  private final Map<Kind, List<String>> found = new EnumMap<>(Kind.class);
  private final Map<String, List<LedgerLine>> byTask = new LinkedHashMap<>();

  private Checker(Duration clockError) {
    this.clockError = clockError;
  }

  /**
   * The verdict.
   *
   * @param clockError how far the clocks of bodies and of nodes may be apart
   */
  static Verdict check(
      List<LedgerLine> ledger, List<Promise> promises, Told told, Duration clockError) {
    var checker = new Checker(clockError);
    ledger.forEach(line ->
        checker.byTask.computeIfAbsent(line.task(), id -> new ArrayList<>()).add(line));
    return checker.check(promises, told);
  }

  private Verdict check(List<Promise> promises, Told told) {
    int expected = 0;
    int ran = 0;
    int skipped = 0;
    Map<String, Promise> byJob = new HashMap<>();
    for (Promise promise : promises) {
      byJob.put(promise.job(), promise);
      for (Instant at : promise.due()) {
        expected++;
        boolean ended = ended(promise.job() + "@" + at);
        boolean reason = told.skips().getOrDefault(promise.job(), List.of()).stream()
            .anyMatch(range -> range.covers(at));
        ran += ended ? 1 : 0;
        skipped += !ended && reason ? 1 : 0;
        if (!ended && !reason) {
          note(Kind.LOST, promise.job() + "@" + at);
        }
        if (ended && reason) {
          note(Kind.DUPLICATE, promise.job() + "@" + at + " ran, and is recorded as skipped");
        }
      }
    }
    byTask.forEach((task, lines) -> {
      phantom(task, lines, byJob);
      attempts(task, lines);
      history(task, lines, told.ends().get(task));
    });
    told.ends().forEach((task, end) -> {
      if (end.succeeded() && !byTask.containsKey(task)) {
        note(Kind.LIE, task + " is said to have succeeded, and never began");
      }
    });
    told.unfinished().forEach(task -> note(Kind.UNRECOVERED, task));
    told.leaders().forEach((term, leaders) -> {
      if (Set.copyOf(leaders).size() > 1) {
        note(Kind.TWO_LEADERS, "term " + term + ": " + leaders);
      }
    });
    int reruns = byTask.values().stream().mapToInt(Checker::reruns).sum();
    return new Verdict(expected, ran, skipped, reruns, found);
  }

  private boolean ended(String task) {
    return byTask.getOrDefault(task, List.of()).stream().anyMatch(line -> line.what() == What.END);
  }

  private static int reruns(List<LedgerLine> lines) {
    int starts = (int) lines.stream().filter(line -> line.what() == What.START).count();
    return Math.max(0, starts - 1);
  }

  /** A fire that nobody was promised, or before its time, or after the end. */
  private void phantom(String task, List<LedgerLine> lines, Map<String, Promise> byJob) {
    int sign = task.indexOf('@');
    if (sign < 0) {
      return; // not a fire
    }
    Promise promise = byJob.get(task.substring(0, sign));
    Instant at = Instant.parse(task.substring(sign + 1));
    if (promise == null || !promise.isDue(at) || at.isAfter(promise.over().plus(clockError))) {
      note(Kind.PHANTOM, task);
    }
    for (LedgerLine line : lines) {
      if (line.what() == What.START && line.at().isBefore(at.minus(clockError))) {
        note(Kind.EARLY, task + " began at " + line.at());
      }
    }
  }

  private void attempts(String task, List<LedgerLine> lines) {
    Set<Long> started = new HashSet<>();
    Set<Long> ended = new HashSet<>();
    for (LedgerLine line : lines) {
      Set<Long> once = line.what() == What.START ? started : ended;
      if (!once.add(line.token())) {
        note(Kind.DUPLICATE, task + ": two " + line.what() + " under token " + line.token());
      }
    }
  }

  /** The accepted end must be one that happened, and no newer attempt may have begun before it was accepted. */
  private void history(
      String task, List<LedgerLine> lines, Told.@org.jspecify.annotations.Nullable End end) {
    if (end == null || !end.succeeded()) {
      return;
    }
    boolean happened =
        lines.stream().anyMatch(line -> line.what() == What.END && line.token() == end.token());
    if (!happened) {
      note(
          Kind.LIE,
          task + " is said to have succeeded under token " + end.token() + ", where nothing ended");
    }
    boolean newer = lines.stream().anyMatch(line -> line.token() > end.token());
    if (newer) {
      note(
          Kind.STALE, task + " was accepted under token " + end.token() + " after a newer attempt");
    }
  }

  private void note(Kind kind, String what) {
    found.computeIfAbsent(kind, k -> new ArrayList<>()).add(what);
  }
}
