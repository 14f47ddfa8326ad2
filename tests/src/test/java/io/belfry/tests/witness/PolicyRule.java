package io.belfry.tests.witness;

import io.belfry.tests.witness.Verdict.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a job's policy allows instead of a run, and what it forbids.
 *
 * <pre>
 *   skip           skipped (overlap), if an earlier task was unfinished by the ledger     never two at once
 *   queue          skipped (queue full), if 100 earlier ones were unfinished              never two at once, in their order
 *   replace        cancelled, if a later one was fired; skipped (superseded), if several  never two at once; none runs on for long
 *                  were due together after a disturbance
 *   limit, rate                                                                           never more than the limit
 *   at most once   failed, if its process was lost                                        never a second START
 * </pre>
 *
 * <p>Threading: confined to one check.
 */
final class PolicyRule {
  private static final int QUEUE_MAX = 100;
  /** Tasks that were due longer before than this are over. */
  private static final Duration LOOK_BACK = Duration.ofMinutes(10);

  private final Evidence evidence;
  private final Map<String, Seen> byTask;
  private final Disturbances disturbances;
  private final RerunRule reruns;
  private final AtOnceRule atOnce;
  private final Findings findings;
  private final Map<String, Integer> counts = new TreeMap<>();

  PolicyRule(
      Evidence evidence,
      Map<String, Seen> byTask,
      Disturbances disturbances,
      RerunRule reruns,
      Findings findings) {
    this.evidence = evidence;
    this.byTask = byTask;
    this.disturbances = disturbances;
    this.reruns = reruns;
    this.atOnce = new AtOnceRule(evidence.outages(), evidence.strikes(), findings);
    this.findings = findings;
  }

  /** Outcomes that are no run, and that the policies account for. */
  Map<String, Integer> counts() {
    return counts;
  }

  /**
   * Whether the policy accounts for this due instant without a run.
   *
   * @param skip the record that says that it was skipped
   */
  boolean accountsFor(Promise promise, Instant at, Optional<Told.Range> skip) {
    Optional<String> instead = switch (promise.policy()) {
      case SKIP ->
        isSkipped(promise, at, skip, "overlap") && unfinished(promise, at) > 0
            ? Optional.of("skipped: overlap")
            : Optional.empty();
      case QUEUE ->
        isSkipped(promise, at, skip, "queue_full") && unfinished(promise, at) >= QUEUE_MAX
            ? Optional.of("skipped: queue full")
            : Optional.empty();
      case REPLACE -> replaced(promise, at, skip);
      case AT_MOST_ONCE ->
        isLostWithProcess(promise.job() + "@" + at, at)
            ? Optional.of("at most once: failed with its process")
            : Optional.empty();
      default -> Optional.empty();
    };
    instead.ifPresent(what -> counts.merge(what, 1, Integer::sum));
    return instead.isPresent();
  }

  private boolean isSkipped(Promise promise, Instant at, Optional<Told.Range> skip, String reason) {
    return !byTask.containsKey(promise.job() + "@" + at)
        && skip.filter(range -> range.reason().equals(reason)).isPresent();
  }

  /** How many earlier tasks of the job may not have ended for Belfry at this instant: their END came later, or so shortly before. */
  private int unfinished(Promise promise, Instant at) {
    int count = 0;
    for (Instant earlier : promise.rhythm().between(at.minus(LOOK_BACK), at)) {
      Seen seen = byTask.get(promise.job() + "@" + earlier);
      if (seen != null && mayBeUnfinished(seen, earlier, at)) {
        count++;
      }
    }
    return count;
  }

  private boolean mayBeUnfinished(Seen seen, Instant due, Instant at) {
    return seen.lastEnd()
        .map(end -> !end.plus(Bounds.REPORT).plus(disturbances.away(end, at)).isBefore(at))
        .orElseGet(() -> !disturbances.isQuiet(due, at));
  }

  private Optional<String> replaced(Promise promise, Instant at, Optional<Told.Range> skip) {
    Optional<Instant> later = laterFire(promise, at);
    if (later.isEmpty()) {
      return Optional.empty();
    }
    if (isSkipped(promise, at, skip, "superseded")) {
      return disturbances.isQuiet(at, later.get())
          ? Optional.empty()
          : Optional.of("skipped: superseded");
    }
    String task = promise.job() + "@" + at;
    boolean cancelled = ends(task).equals(Set.of(Told.End.CANCELLED));
    return cancelled && !isTooSoon(task, later.get())
        ? Optional.of("cancelled: replaced")
        : Optional.empty();
  }

  /** Whether its body was stopped before there was anything to take its place. */
  private boolean isTooSoon(String task, Instant replacement) {
    Seen seen = byTask.get(task);
    return seen != null
        && seen.attempts().getLast().over().isPresent()
        && seen.attempts().getLast().over().get().isBefore(replacement.minus(Bounds.CLOCK_ERROR))
        && disturbances.isQuiet(seen.attempts().getLast().over().get(), replacement);
  }

  private Optional<Instant> laterFire(Promise promise, Instant at) {
    return promise.rhythm().between(at, at.plus(LOOK_BACK)).stream()
        .filter(later -> !ends(promise.job() + "@" + later).isEmpty())
        .findFirst();
  }

  private Set<String> ends(String task) {
    var states = new HashSet<String>();
    evidence.told().ends().getOrDefault(task, List.of()).forEach(end -> states.add(end.state()));
    return states;
  }

  private boolean isLostWithProcess(String task, Instant due) {
    if (!ends(task).equals(Set.of(Told.End.FAILED))) {
      return false;
    }
    Seen seen = byTask.get(task);
    return seen == null
        ? !disturbances.isQuiet(due, due.plus(evidence.bounds().recovery()))
        : seen.attempts().stream().allMatch(reruns::isExcused);
  }

  /** What no task of the job may do beside the others. */
  void check(List<Promise> promises) {
    List<AtOnceRule.Known> limited = new ArrayList<>();
    List<AtOnceRule.Known> rated = new ArrayList<>();
    for (Promise promise : promises) {
      List<AtOnceRule.Known> tasks = tasks(promise);
      switch (promise.policy()) {
        case SKIP -> atOnce.atMost(1, tasks, Kind.OVERLAP);
        case QUEUE -> {
          atOnce.atMost(1, tasks, Kind.OVERLAP);
          inOrder(tasks);
        }
        case REPLACE -> {
          atOnce.atMost(1, tasks, Kind.OVERLAP);
          promise.due(evidence.until()).forEach(at -> endsInTime(promise, at));
        }
        case LIMIT -> limited.addAll(tasks);
        case RATE -> rated.addAll(tasks);
        case AT_MOST_ONCE -> tasks.forEach(this::beganOnce);
        case PLAIN, AFTER, PULL -> {
          // Nothing beyond what is asked of every task.
        }
      }
    }
    atOnce.atMost(Policy.CONCURRENCY, limited, Kind.LIMIT);
    atOnce.atMostPerSecond(Policy.RATE_PER_SECOND, rated, deliveries(promises));
  }

  private Deliveries deliveries(List<Promise> promises) {
    var deliveries = new Deliveries();
    promises.stream()
        .filter(promise -> promise.policy() == Policy.PLAIN)
        .forEach(promise -> promise
            .due(evidence.until())
            .forEach(at -> Optional.ofNullable(byTask.get(promise.job() + "@" + at))
                .flatMap(Seen::firstStart)
                .ifPresent(start -> deliveries.note(at, start))));
    return deliveries;
  }

  private List<AtOnceRule.Known> tasks(Promise promise) {
    if (promise.policy() == Policy.PLAIN) {
      return List.of();
    }
    var all = new ArrayList<AtOnceRule.Known>();
    for (Instant at : promise.due(evidence.until())) {
      String task = promise.job() + "@" + at;
      Optional.ofNullable(byTask.get(task))
          .ifPresent(seen -> all.add(new AtOnceRule.Known(task, at, seen)));
    }
    return all;
  }

  /** Whatever happened: a task whose worker was lost keeps its place. */
  private void inOrder(List<AtOnceRule.Known> byInstant) {
    List<AtOnceRule.Known> begun =
        byInstant.stream().filter(each -> each.seen().firstStart().isPresent()).toList();
    for (int i = 1; i < begun.size(); i++) {
      AtOnceRule.Known earlier = begun.get(i - 1);
      AtOnceRule.Known later = begun.get(i);
      Instant start = earlier.seen().firstStart().orElseThrow();
      if (later.seen().firstStart().orElseThrow().isBefore(start)) {
        findings.note(
            Kind.EARLY,
            later.task() + " began before " + earlier.task() + ", which was due before it");
      }
    }
  }

  /** A task that is to be replaced ends soon after the next is fired. */
  private void endsInTime(Promise promise, Instant at) {
    String task = promise.job() + "@" + at;
    Optional<Instant> later = laterFire(promise, at);
    Optional<Instant> end = Optional.ofNullable(byTask.get(task)).flatMap(Seen::lastEnd);
    if (later.isPresent()
        && end.isPresent()
        && end.get().isAfter(later.get().plus(Bounds.CANCEL))
        && disturbances.isQuiet(at, end.get())) {
      findings.note(
          Kind.LOST,
          task + " ran on until " + end.get() + ", although the fire of " + later.get()
              + " replaces it");
    }
  }

  private void beganOnce(AtOnceRule.Known task) {
    if (task.seen().starts() > 1) {
      findings.note(
          Kind.DUPLICATE,
          task.task() + " may begin once at most, and began " + task.seen().starts() + " times");
    }
  }
}
