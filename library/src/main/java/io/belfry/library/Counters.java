package io.belfry.library;

import io.belfry.core.event.Happening;
import io.belfry.core.record.Histogram;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the events of this node's scheduler while it is the leader. Events of other leaders are counted by their nodes.
 *
 * <p>Threading: safe.
 */
final class Counters {
  private static final int SECONDS = 60;

  private final Time time;
  private final boolean counting;
  /** Name and incarnation of this node's scheduler part, which may be replaced. */
  private volatile String node = "";

  private final long startedNanos;
  final LongAdder submitted = new LongAdder();
  final LongAdder completed = new LongAdder();
  final LongAdder failed = new LongAdder();
  final LongAdder cancelled = new LongAdder();
  final LongAdder retried = new LongAdder();
  final LongAdder skipped = new LongAdder();
  final LongAdder electionsWon = new LongAdder();
  final LongAdder rejected = new LongAdder();
  private final Map<SkipReason, LongAdder> skippedFor = new EnumMap<>(SkipReason.class);
  private final DistributionCounter lateness = DistributionCounter.ofTasks();
  private final DistributionCounter runTimes = DistributionCounter.ofTasks();
  private final LongAdder assigned = new LongAdder();
  private final LongAdder undone = new LongAdder();
  private final Histogram delay = new Histogram();
  private final Histogram runTime = new Histogram();
  private final RecentWorkers workers;
  private final long[] ended = new long[SECONDS];
  private long newest;

  Counters(Time time, boolean counting) {
    this.time = time;
    this.counting = counting;
    this.startedNanos = time.nanos();
    this.workers = new RecentWorkers(time);
    for (SkipReason reason : SkipReason.values()) {
      skippedFor.put(reason, new LongAdder());
    }
  }

  /** Sets the name and incarnation of this node. */
  void node(String id) {
    node = id;
  }

  /** Whether counting is enabled. */
  boolean counting() {
    return counting;
  }

  void observed(Happening happening) {
    if (counting) {
      count(happening);
    }
  }

  private void count(Happening happening) {
    switch (happening) {
      case Happening.TaskSubmitted unused -> submitted.increment();
      case Happening.TaskCompleted done -> {
        end(completed);
        ran(done.took());
      }
      case Happening.TaskFailed(Task task) -> {
        end(failed);
        countUndone(task);
      }
      case Happening.TaskCancelled unused -> end(cancelled);
      case Happening.TaskRetrying(Task task) -> {
        retried.increment();
        countUndone(task);
      }
      case Happening.FiresSkipped(var job, var range) -> {
        skipped.add(range.count());
        Objects.requireNonNull(skippedFor.get(range.reason())).add(range.count());
      }
      case Happening.WorkerJoined(String worker) -> workers.seen(configured(worker));
      case Happening.WorkerLeft(String worker) -> workers.seen(configured(worker));
      case Happening.TaskScheduled(Task task) -> dispatched(task);
      case Happening.TaskStarted unused -> {}
      case Happening.WorkerOnline unused -> {}
      case Happening.WorkerOffline unused -> {}
      case Happening.LeaderChanged(var term) -> {
        if (term.leader().equals(node)) {
          electionsWon.increment();
        }
      }
      case Happening.ReportRejected unused -> rejected.increment();
      case Happening.TasksUnmatched unused -> {}
    }
  }

  private void dispatched(Task task) {
    assigned.increment();
    if (task.state() instanceof TaskState.Held held && task.attempts() == 1) {
      Duration late = Duration.between(task.scheduled(), held.attempt().assigned());
      lateness.add(late);
      synchronized (this) {
        delay.add(late);
      }
    }
  }

  private void countUndone(Task task) {
    if (task.history().latest().filter(last -> last.started().isEmpty()).isPresent()) {
      undone.increment();
    }
  }

  private void ran(Duration took) {
    runTimes.add(took);
    synchronized (this) {
      runTime.add(took);
    }
  }

  NodeMetrics.Tasks tasks() {
    return new NodeMetrics.Tasks(
        submitted.sum(),
        completed.sum(),
        failed.sum(),
        cancelled.sum(),
        retried.sum(),
        assigned.sum(),
        undone.sum());
  }

  Map<SkipReason, Long> skippedFor() {
    Map<SkipReason, Long> counts = new EnumMap<>(SkipReason.class);
    skippedFor.forEach((reason, count) -> counts.put(reason, count.sum()));
    return counts;
  }

  Distribution lateness() {
    return lateness.now();
  }

  Distribution runTimeDistribution() {
    return runTimes.now();
  }

  Metrics.Dispatch dispatched() {
    return new Metrics.Dispatch(assigned.sum(), undone.sum());
  }

  /** Time from when tasks were due until their first assignment. */
  synchronized Metrics.Times delays() {
    return Metrics.Times.of(delay);
  }

  synchronized Metrics.Times runTimes() {
    return Metrics.Times.of(runTime);
  }

  long uptimeNanos() {
    return time.nanos() - startedNanos;
  }

  private void end(LongAdder kind) {
    kind.increment();
    synchronized (this) {
      advance();
      ended[(int) (newest % SECONDS)]++;
    }
  }

  /** Tasks finished per second, over the last minute or since the start. */
  synchronized double throughput() {
    advance();
    long sum = 0;
    for (long each : ended) {
      sum += each;
    }
    return sum / (double) Math.clamp(newest + 1, 1, SECONDS);
  }

  private void advance() {
    long second = TimeUnit.NANOSECONDS.toSeconds(uptimeNanos());
    for (long at = Math.max(newest + 1, second - SECONDS + 1); at <= second; at++) {
      ended[(int) (at % SECONDS)] = 0;
    }
    newest = Math.max(newest, second);
  }

  /** The number of workers seen within the last day that are not online. */
  long offline(Set<String> registered, Set<String> online) {
    return counting ? workers.offline(registered, online) : 0;
  }

  /** The worker id without its incarnation: users see a restarted worker as the same one. */
  static String configured(String worker) {
    int tilde = worker.indexOf('~');
    return tilde < 0 ? worker : worker.substring(0, tilde);
  }
}
