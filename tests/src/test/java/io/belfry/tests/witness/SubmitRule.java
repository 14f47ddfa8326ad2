package io.belfry.tests.witness;

import io.belfry.tests.witness.Call.Answer;
import io.belfry.tests.witness.Call.What;
import io.belfry.tests.witness.Verdict.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What clients were told of their submits and cancels, held against what ran under their keys.
 *
 * <pre>
 *   acknowledged           ends once, in one task
 *   acknowledged, cancelled    may not begin long after the cancel was acknowledged, not counting the time in which something was away; ends once, in whatever way
 *   refused                never begins
 *   not known              one task or none
 * </pre>
 *
 * <p>Threading: confined to one check.
 */
final class SubmitRule {
  private final Map<String, List<Call>> byKey = new LinkedHashMap<>();
  private final Map<String, Set<String>> tasks = new HashMap<>();
  private final Findings findings;
  private final LateRule late;
  private final Disturbances disturbances;

  SubmitRule(List<Call> calls, Findings findings, LateRule late, Disturbances disturbances) {
    this.findings = findings;
    this.late = late;
    this.disturbances = disturbances;
    calls.forEach(call ->
        byKey.computeIfAbsent(call.key(), key -> new java.util.ArrayList<>()).add(call));
  }

  /** A body said that it carries out the submit of this key. */
  void ran(String key, String task) {
    tasks.computeIfAbsent(key, each -> new HashSet<>()).add(task);
  }

  /** What is asked of one task that a submit led to. */
  record Due(String key, String task, boolean mustSucceed) {}

  /** Judges all keys, and tells which tasks must have ended. */
  List<Due> check(Map<String, Seen> seen) {
    tasks.keySet().stream()
        .filter(key -> !byKey.containsKey(key))
        .forEach(key -> findings.note(Kind.PHANTOM, "nobody submitted " + key));
    return byKey.entrySet().stream()
        .flatMap(each -> check(each.getKey(), each.getValue(), seen).stream())
        .toList();
  }

  private Optional<Due> check(String key, List<Call> calls, Map<String, Seen> seen) {
    Set<String> all = new HashSet<>(tasks.getOrDefault(key, Set.of()));
    boolean ran = !all.isEmpty();
    calls.stream()
        .filter(call -> call.is(What.SUBMIT, Answer.OK))
        .forEach(call -> call.task().ifPresent(all::add));
    if (all.size() > 1) {
      findings.note(Kind.DUPLICATE, key + " led to more than one task: " + all);
      return Optional.empty();
    }
    boolean acknowledged = calls.stream().anyMatch(call -> call.is(What.SUBMIT, Answer.OK));
    boolean unknown = calls.stream().anyMatch(call -> call.is(What.SUBMIT, Answer.UNKNOWN));
    if (ran && !acknowledged && !unknown) {
      findings.note(Kind.PHANTOM, key + " was refused, and ran as " + all);
    }
    if (all.isEmpty()) {
      return Optional.empty();
    }
    String task = all.iterator().next();
    Optional<Seen> body = Optional.ofNullable(seen.get(task));
    Call first = calls.getFirst();
    body.flatMap(Seen::firstStart).ifPresent(start -> times(task, first, calls, start));
    body.flatMap(Seen::lastStart).ifPresent(start -> cancels(task, calls, start));
    boolean cancelled =
        calls.stream().anyMatch(call -> call.what() == What.CANCEL && call.answer() != Answer.FAIL);
    return Optional.of(new Due(key, task, !cancelled));
  }

  private void times(String task, Call first, List<Call> calls, Instant start) {
    if (start.isBefore(first.due().minus(Bounds.CLOCK_ERROR))) {
      findings.note(Kind.EARLY, task + " was due at " + first.due() + " and began at " + start);
    }
    // While nobody has acknowledged it, nobody waits for it.
    calls.stream()
        .filter(call -> call.is(What.SUBMIT, Answer.OK))
        .findFirst()
        .map(call -> call.answered().isAfter(first.due()) ? call.answered() : first.due())
        .ifPresent(due -> late.check(task, due, start));
  }

  private void cancels(String task, List<Call> calls, Instant start) {
    calls.stream()
        .filter(call -> call.is(What.CANCEL, Answer.OK))
        .filter(call -> isLongAfter(call.answered(), start))
        .findFirst()
        .ifPresent(call -> findings.note(
            Kind.LOST,
            "the cancel of " + task + " was acknowledged at " + call.answered()
                + ", and it began at " + start));
  }

  /** An acknowledged cancel goes by the leader, as fires do, and so is as late as they are while leader or engine are away or slow. */
  private boolean isLongAfter(Instant acknowledged, Instant start) {
    Duration passed = Duration.between(acknowledged, start);
    return passed.minus(disturbances.away(acknowledged, start)).compareTo(Bounds.CANCEL) > 0;
  }
}
