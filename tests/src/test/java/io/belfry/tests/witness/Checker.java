package io.belfry.tests.witness;

import io.belfry.tests.witness.Verdict.Kind;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Holds the ledger against the promises, against what clients were answered, and against what Belfry tells. Reads the ledger once, line by
 * line, and keeps a few words of each task. Threading: confined to one check.
 */
final class Checker {
  private final Evidence evidence;
  private final Findings findings = new Findings();
  private final Map<String, Promise> promises = new HashMap<>();
  private final Map<String, Seen> byTask = new LinkedHashMap<>();
  private final Map<String, Integer> skipped = new TreeMap<>();
  private final RerunRule reruns;
  private final LateRule late;
  private final SubmitRule submits;
  private final PolicyRule policies;
  private final FollowRule follows;
  private int expected;
  private int ran;
  private int lateEnds;
  private int turnedAway;
  private int givenUp;

  private Checker(Evidence evidence) {
    this.evidence = evidence;
    evidence.promises().forEach(promise -> promises.put(promise.job(), promise));
    reruns = new RerunRule(evidence.outages(), findings);
    var disturbances = new Disturbances(
        evidence.strikes(), evidence.outages(), evidence.bounds().recovery());
    late = new LateRule(disturbances, evidence.bounds(), findings);
    submits = new SubmitRule(evidence.calls(), findings, late, disturbances);
    policies = new PolicyRule(evidence, byTask, disturbances, reruns, findings);
    follows = new FollowRule(evidence, byTask, findings);
  }

  static Verdict check(Evidence evidence) {
    var checker = new Checker(evidence);
    evidence.ledger().forEach(checker::read);
    return checker.verdict();
  }

  private void read(LedgerLine line) {
    String task = line.entry().task();
    Seen seen = byTask.get(task);
    if (seen == null) {
      seen = new Seen();
      byTask.put(task, seen);
      phantom(line.entry());
    }
    line.entry().key().ifPresent(key -> submits.ran(key, task));
    if (!seen.add(line)) {
      findings.note(
          Kind.DUPLICATE,
          task + ": two " + line.entry().what() + " under token " + line.entry().token());
    }
    if (line.isStart() && !line.fenced()) {
      turnedAway++;
    }
    LedgerLine.Entry entry = line.entry();
    entry.predecessor().ifPresent(before -> follows.ran(entry.job().orElse(""), before, task));
    if (line.isStart() && entry.job().isPresent() && isEarly(line)) {
      findings.note(Kind.EARLY, task + " began at " + line.at());
    }
  }

  private static boolean isEarly(LedgerLine line) {
    return line.at().isBefore(line.entry().scheduled().minus(Bounds.CLOCK_ERROR));
  }

  /** A fire that nobody was promised, before the beginning or after the end; or one whose id is not what it says. */
  private void phantom(LedgerLine.Entry entry) {
    entry.job().ifPresent(job -> {
      Promise promise = promises.get(job);
      boolean follows = promise != null
          && promise.policy() == Policy.AFTER
          && entry.predecessor().isPresent()
          && entry.task().startsWith(job + "!");
      boolean fires = promise != null
          && promise.allows(entry.scheduled(), Bounds.CLOCK_ERROR)
          && entry.task().equals(job + "@" + entry.scheduled());
      if (!follows && !fires) {
        findings.note(Kind.PHANTOM, entry.task() + ", scheduled for " + entry.scheduled());
      }
    });
  }

  private Verdict verdict() {
    Told told = evidence.told();
    promises.values().forEach(this::outcomes);
    policies.check(evidence.promises());
    submits.check(byTask).forEach(this::submitted);
    told.ends().forEach(this::history);
    told.unfinished().forEach(task -> findings.note(Kind.UNRECOVERED, task));
    new TermRule(findings).check(told.leaders(), evidence.acts());
    byTask.forEach(reruns::check);
    return new Verdict(
        expected,
        ran,
        skipped,
        reruns.reasons(),
        lateEnds,
        turnedAway,
        givenUp,
        late.quiet(),
        policies.counts(),
        findings.all());
  }

  /**
   * Every due instant ran, and has no record that says otherwise. Only what was due shortly before the end may have been taken back, and only
   * what the job's policy accounts for may have another outcome.
   */
  private void outcomes(Promise promise) {
    if (promise.rhythm() instanceof Rhythm.Following(String predecessor)) {
      follows.check(promise, predecessor, (task, what, due) -> {
        expected++;
        ended(task, what, true);
        lateIfBegun(task, due);
      });
      return;
    }
    List<Told.Range> ranges = evidence.told().skips().getOrDefault(promise.job(), List.of());
    for (Instant at : promise.due(evidence.until())) {
      String task = promise.job() + "@" + at;
      Optional<Told.Range> reason =
          ranges.stream().filter(range -> range.covers(at)).findFirst();
      boolean takenBack = promise.mayTakeBack(at)
          && reason.filter(range -> range.reason().equals(Told.Range.DISABLED)).isPresent();
      Seen seen = byTask.get(task);
      if (seen == null && takenBack) {
        skipped.merge(Told.Range.DISABLED, 1, Integer::sum);
        continue;
      }
      if (policies.accountsFor(promise, at, reason)) {
        continue;
      }
      expected++;
      if (reason.isPresent() && seen == null) {
        findings.note(
            Kind.LOST,
            task + " was skipped (" + reason.get().reason()
                + "), which its job does not allow here");
      } else {
        reason.ifPresent(
            range -> findings.note(Kind.DUPLICATE, task + " ran, and is recorded as skipped"));
        ended(task, "", true);
      }
      if (promise.policy().startsAtOnce()) {
        lateIfBegun(task, at);
      }
    }
  }

  private void lateIfBegun(String task, Instant due) {
    Optional.ofNullable(byTask.get(task))
        .flatMap(Seen::firstStart)
        .ifPresent(start -> late.check(task, due, start));
  }

  private void submitted(SubmitRule.Due due) {
    expected++;
    ended(due.task(), ", submitted as " + due.key(), due.mustSucceed());
  }

  /** It ended in the ledger, and history has exactly one end of it, which is that one. */
  private void ended(String task, String what, boolean mustSucceed) {
    Seen seen = byTask.get(task);
    Set<Told.End> ends = new HashSet<>(evidence.told().ends().getOrDefault(task, List.of()));
    boolean done = seen != null && seen.hasEnded();
    if (seen != null
        && ends.stream().allMatch(end -> end.state().equals(Told.End.FAILED))
        && ends.size() == 1
        && reruns.isGivenUp(seen)) {
      expected--;
      givenUp++;
      return;
    }
    boolean cancelled =
        !mustSucceed && ends.stream().anyMatch(end -> end.state().equals(Told.End.CANCELLED));
    if (!done && !cancelled) {
      findings.note(
          Kind.LOST,
          task
              + what
              + (seen == null ? " never began" : " began and never ended")
              + (ends.isEmpty() ? "" : ", and is told as " + ends));
    } else if (ends.isEmpty()) {
      findings.note(Kind.LIE, task + what + " ended, and history does not know it");
    } else if (!cancelled && ends.stream().noneMatch(Told.End::succeeded)) {
      findings.note(Kind.LIE, task + what + " ended well, and is told as " + ends);
    } else {
      ran++;
    }
  }

  /** The accepted end must be one that happened, the only one, and the last attempt's. */
  private void history(String task, List<Told.End> ends) {
    if (new HashSet<>(ends).size() > 1) {
      findings.note(Kind.DUPLICATE, task + " ended more than once: " + ends);
    }
    new HashSet<>(ends).stream().filter(Told.End::succeeded).forEach(end -> accepted(task, end));
  }

  private void accepted(String task, Told.End end) {
    Seen seen = byTask.get(task);
    if (seen == null) {
      findings.note(Kind.LIE, task + " is said to have succeeded, and never began");
      return;
    }
    Optional<Seen.Attempt> accepted = seen.of(end.token());
    if (accepted.filter(Seen.Attempt::hasEnded).isEmpty()) {
      findings.note(
          Kind.LIE,
          task + " is said to have succeeded under token " + end.token() + ", where nothing ended");
    } else if (seen.isAfter(end.token()) || !accepted.get().endedInTime()) {
      findings.note(
          Kind.STALE, task + " was accepted under token " + end.token() + " after a newer attempt");
    }
    lateEnds += seen.endsBeside(end.token());
  }
}
