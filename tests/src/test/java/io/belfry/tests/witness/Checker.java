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
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Holds the ledger against the promises and against what Belfry tells. Reads the ledger once, line by line, and keeps a few words of
 * each task. Threading: confined to one check.
 */
final class Checker {
  private final Duration clockError;
  private final Map<String, Promise> promises = new HashMap<>();
  private final Map<Kind, List<String>> found = new EnumMap<>(Kind.class);
  private final Map<String, Seen> byTask = new LinkedHashMap<>();
  private final Map<String, Integer> skipped = new TreeMap<>();
  private int expected;
  private int ran;
  private int lateEnds;

  private Checker(List<Promise> promises, Duration clockError) {
    promises.forEach(promise -> this.promises.put(promise.job(), promise));
    this.clockError = clockError;
  }

  /**
   * The verdict.
   *
   * @param clockError how far the clocks of bodies and of nodes may be apart
   */
  static Verdict check(Ledger ledger, List<Promise> promises, Told told, Duration clockError) {
    var checker = new Checker(promises, clockError);
    ledger.forEach(checker::read);
    return checker.check(told, Set.of());
  }

  /**
   * The same, and every submit that was acknowledged must have ended.
   *
   * @param submits ids of those tasks
   */
  static Verdict check(
      Ledger ledger, List<Promise> promises, Told told, Duration clockError, Set<String> submits) {
    var checker = new Checker(promises, clockError);
    ledger.forEach(checker::read);
    return checker.check(told, submits);
  }

  private void read(LedgerLine line) {
    Seen seen = byTask.get(line.task());
    if (seen == null) {
      seen = new Seen();
      byTask.put(line.task(), seen);
      phantom(line.task());
    }
    if (!seen.add(line)) {
      note(Kind.DUPLICATE, line.task() + ": two " + line.what() + " under token " + line.token());
    }
    Optional<Instant> due = due(line.task());
    if (line.what() == What.START
        && due.isPresent()
        && line.at().isBefore(due.get().minus(clockError))) {
      note(Kind.EARLY, line.task() + " began at " + line.at());
    }
  }

  /** Empty for what is not a fire. */
  private static Optional<Instant> due(String task) {
    int sign = task.indexOf('@');
    return sign < 0 ? Optional.empty() : Optional.of(Instant.parse(task.substring(sign + 1)));
  }

  /** A fire that nobody was promised, or after the end. */
  private void phantom(String task) {
    due(task).ifPresent(at -> {
      Promise promise = promises.get(task.substring(0, task.indexOf('@')));
      if (promise == null || !promise.isDue(at) || at.isAfter(promise.over().plus(clockError))) {
        note(Kind.PHANTOM, task);
      }
    });
  }

  private Verdict check(Told told, Set<String> submits) {
    promises.values().forEach(promise -> outcomes(promise, told));
    submits.forEach(this::submitted);
    told.ends().forEach(this::history);
    told.unfinished().forEach(task -> note(Kind.UNRECOVERED, task));
    told.leaders().forEach((term, leaders) -> {
      if (Set.copyOf(leaders).size() > 1) {
        note(Kind.TWO_LEADERS, "term " + term + ": " + leaders);
      }
    });
    int reruns = byTask.values().stream().mapToInt(Seen::reruns).sum();
    return new Verdict(expected, ran, skipped, reruns, lateEnds, found);
  }

  /** Every due instant ran, or there is a reason why not, and not both. */
  private void outcomes(Promise promise, Told told) {
    List<Told.Range> ranges = told.skips().getOrDefault(promise.job(), List.of());
    for (Instant at : promise.due()) {
      expected++;
      String task = promise.job() + "@" + at;
      Seen seen = byTask.get(task);
      boolean ended = seen != null && seen.hasEnded();
      Optional<Told.Range> reason =
          ranges.stream().filter(range -> range.covers(at)).findFirst();
      if (ended) {
        ran++;
        reason.ifPresent(range -> note(Kind.DUPLICATE, task + " ran, and is recorded as skipped"));
      } else if (reason.isPresent()) {
        skipped.merge(reason.get().reason(), 1, Integer::sum);
      } else {
        note(Kind.LOST, task);
      }
    }
  }

  private void submitted(String task) {
    expected++;
    Seen seen = byTask.get(task);
    if (seen != null && seen.hasEnded()) {
      ran++;
    } else {
      note(Kind.LOST, task + ", a submit that was acknowledged");
    }
  }

  /** The accepted end must be one that happened, the only one, and the last attempt's. */
  private void history(String task, List<Told.End> ends) {
    if (new HashSet<>(ends).size() > 1) {
      note(Kind.DUPLICATE, task + " ended more than once: " + ends);
    }
    Told.End end = ends.getLast();
    Seen seen = byTask.get(task);
    if (!end.succeeded()) {
      return;
    }
    if (seen == null) {
      note(Kind.LIE, task + " is said to have succeeded, and never began");
      return;
    }
    if (!seen.hasEnded(end.token())) {
      note(
          Kind.LIE,
          task + " is said to have succeeded under token " + end.token() + ", where nothing ended");
    }
    if (seen.isAfter(end.token())) {
      note(
          Kind.STALE, task + " was accepted under token " + end.token() + " after a newer attempt");
    }
    lateEnds += seen.endsBeside(end.token());
  }

  private void note(Kind kind, String what) {
    found.computeIfAbsent(kind, k -> new ArrayList<>()).add(what);
  }
}
