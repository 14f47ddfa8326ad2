package io.belfry.tests.witness;

import io.belfry.tests.witness.Outage.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Nothing begins a second time, but for a reason that lies in the process that had it.
 *
 * <pre>
 *   first attempt   START ──── END ── report ─┐
 *   its process               kill            │ excuses a second START: the report may not have been written
 *                             kill after that ┘ does not
 *                  SIGTERM                      excuses only what was not done when the time to finish was over
 *                  SIGSTOP, or no time for it   excuses, and explains an END after the second START; also what it had begun before, if it writes the START when
 *                                               it wakes up, and stops
 *                  cut off from the engine      excuses; but it must stop its body before another begins
 * </pre>
 *
 * <p>Threading: confined to one check.
 */
final class RerunRule {
  /** A task is taken from lost workers three times, so that one that takes its workers down with it does not go through all of them. */
  private static final int ATTEMPTS_MAX = 4;

  private final List<Outage> outages;
  private final Findings findings;
  private final Map<String, Integer> reasons = new TreeMap<>();

  RerunRule(List<Outage> outages, Findings findings) {
    this.outages = outages;
    this.findings = findings;
  }

  /** Attempts beyond the first, by what excuses them. */
  Map<String, Integer> reasons() {
    return reasons;
  }

  /**
   * Whether its process was lost each time that it was begun, and as often as a task may lose one: then it is given up. Some may have been
   * lost before it began there, which the ledger does not know.
   */
  boolean isGivenUp(Seen seen) {
    List<Seen.Attempt> all = seen.attempts();
    return all.size() <= ATTEMPTS_MAX
        && outages.stream().filter(each -> each.kind() != Kind.STALLED).count() >= ATTEMPTS_MAX
        && all.stream()
            .allMatch(each -> !each.hasEnded()
                && outages.stream().anyMatch(outage -> excuses(outage, each, Instant.MAX)));
  }

  void check(String task, Seen seen) {
    if (seen.attempts().size() < 2) {
      return;
    }
    List<Seen.Attempt> begun = new ArrayList<>(
        seen.attempts().stream().filter(Seen.Attempt::hasStarted).toList());
    begun.sort(Comparator.comparingLong(each -> each.token));
    for (int i = 1; i < begun.size(); i++) {
      judge(task, begun.get(i - 1), begun.get(i));
    }
  }

  private void judge(String task, Seen.Attempt first, Seen.Attempt second) {
    Optional<Outage> excuse =
        outages.stream().filter(each -> excuses(each, first, second.start())).findFirst();
    if (excuse.isEmpty()) {
      findings.note(
          Verdict.Kind.DUPLICATE,
          task + " began again at " + second.start() + " under token " + second.token
              + ", although nothing had befallen " + first.process + ", where it began at "
              + first.start() + (first.hasEnded() ? " and ended at " + first.end() : ""));
      return;
    }
    reasons.merge(excuse.get().kind().name().toLowerCase(java.util.Locale.ROOT), 1, Integer::sum);
    boolean together = first.start().isAfter(second.start())
        || first.over().filter(over -> over.isAfter(second.start())).isPresent();
    if (together && outages.stream().noneMatch(each -> stoodStill(each, first, second.start()))) {
      findings.note(
          Verdict.Kind.DUPLICATE,
          task + " was carried out by two at once: under token " + first.token + " on "
              + first.process + " and under " + second.token + " on " + second.process);
    }
  }

  private static boolean excuses(Outage outage, Seen.Attempt first, Instant again) {
    Instant known = first.hasEnded() ? earlier(first.end().plus(Bounds.REPORT), again) : again;
    return switch (outage.kind()) {
      case KILLED ->
        outage.strikes(first.process)
            && !outage.gone().isBefore(first.start())
            && !outage.from().isAfter(known);
      case STOPPED ->
        outage.strikes(first.process)
            && !first.hasEnded()
            && outage.touches(first.start(), again)
            && outage.from().plus(Bounds.DRAIN).isBefore(outage.gone());
      case PAUSED, STALLED -> stoodStill(outage, first, again);
      case CUT -> outage.strikes(first.process) && outage.touches(first.start(), known);
    };
  }

  /** Whether something befell the process of the attempt that may have ended it, or kept its result from being known. */
  boolean isExcused(Seen.Attempt attempt) {
    return outages.stream().anyMatch(each -> excuses(each, attempt, Instant.MAX));
  }

  private static boolean stoodStill(Outage outage, Seen.Attempt first, Instant again) {
    boolean enough = outage.kind() == Kind.STALLED
        || (outage.kind() == Kind.PAUSED && outage.length().compareTo(Bounds.LEASE) > 0)
        || (outage.who().equals(Outage.ENGINE) && outage.kind() != Kind.CUT);
    Instant begin =
        earlier(first.start(), again).minus(first.hasEnded() ? Duration.ZERO : Bounds.WAKING);
    Instant known = first.hasEnded() ? earlier(first.end().plus(Bounds.REPORT), again) : again;
    return enough && outage.strikes(first.process) && outage.touches(begin, later(begin, known));
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
