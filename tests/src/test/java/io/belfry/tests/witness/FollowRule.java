package io.belfry.tests.witness;

import io.belfry.tests.witness.Verdict.Kind;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Each accepted end of a job's tasks leads to exactly one task of the job that follows it, and nothing else does.
 *
 * <p>Threading: confined to one check.
 */
final class FollowRule {
  private final Evidence evidence;
  private final Map<String, Seen> byTask;
  private final Findings findings;
  /** By job and predecessor. */
  private final Map<String, Map<String, Set<String>>> followers = new HashMap<>();

  FollowRule(Evidence evidence, Map<String, Seen> byTask, Findings findings) {
    this.evidence = evidence;
    this.byTask = byTask;
    this.findings = findings;
  }

  /** A body said that its task follows that one. */
  void ran(String job, String predecessor, String task) {
    followers
        .computeIfAbsent(job, each -> new HashMap<>())
        .computeIfAbsent(predecessor, each -> new HashSet<>())
        .add(task);
  }

  /** What is asked of a follower. */
  interface Judge {
    /**
     * It must have ended.
     *
     * @param due when its predecessor ended
     */
    void mustEnd(String task, String what, Instant due);
  }

  void check(Promise promise, String predecessor, Judge judge) {
    Map<String, Set<String>> mine = new HashMap<>(followers.getOrDefault(promise.job(), Map.of()));
    evidence.told().ends().forEach((task, ends) -> {
      Optional<Told.End> succeeded = ends.stream().filter(Told.End::succeeded).findFirst();
      if (task.startsWith(predecessor + "@") && succeeded.isPresent()) {
        Set<String> all = Optional.ofNullable(mine.remove(task)).orElse(Set.of());
        endOf(task, succeeded.get())
            .ifPresent(end -> judge(promise, task, end, List.copyOf(all), judge));
      }
    });
    mine.forEach((task, all) -> findings.note(
        Kind.PHANTOM, all + " ran after " + task + ", which has no accepted end that leads to it"));
  }

  private Optional<Instant> endOf(String task, Told.End accepted) {
    return Optional.ofNullable(byTask.get(task))
        .flatMap(seen -> seen.of(accepted.token()))
        .filter(Seen.Attempt::hasEnded)
        .map(Seen.Attempt::end);
  }

  private void judge(
      Promise promise, String predecessor, Instant end, List<String> all, Judge judge) {
    String what = ", which follows " + predecessor;
    if (all.size() > 1) {
      findings.note(Kind.DUPLICATE, all + " all follow " + predecessor);
    } else if (all.isEmpty()) {
      if (end.isAfter(promise.from()) && !promise.mayTakeBack(end)) {
        findings.note(
            Kind.LOST, promise.job() + " did not run after " + predecessor + ", ended at " + end);
      }
    } else {
      String task = all.getFirst();
      judge.mustEnd(task, what, end);
      Optional.ofNullable(byTask.get(task))
          .flatMap(Seen::firstStart)
          .filter(start -> start.isBefore(end))
          .ifPresent(start ->
              findings.note(Kind.EARLY, task + what + ", began at " + start + ", before its end"));
    }
  }
}
