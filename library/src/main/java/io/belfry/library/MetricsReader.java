package io.belfry.library;

import io.belfry.core.history.RetainCounts;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.task.LiveCounts;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.Records;
import io.belfry.core.record.Term;
import io.belfry.core.record.WorkerRecord;
import io.belfry.model.job.Priority;
import io.belfry.model.task.StateName;
import io.belfry.model.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** Collects {@link Metrics} and {@link NodeMetrics}. Threading: safe. */
final class MetricsReader {
  private static final List<StateName> UNFINISHED =
      List.of(StateName.PENDING, StateName.RETRYING, StateName.ASSIGNED, StateName.RUNNING);

  private final NodeParts parts;

  MetricsReader(NodeParts parts) {
    this.parts = parts;
  }

  List<WorkerRecord> workers(Calls.Span span) {
    var workers = new ArrayList<WorkerRecord>();
    span.scan(parts.state, Keys.WORKERS, Records::worker, (key, worker) -> workers.add(worker));
    return List.copyOf(workers);
  }

  Metrics now(Calls.Span span) {
    List<WorkerRecord> workers = workers(span);
    Set<String> online = workers.stream()
        .filter(WorkerRecord::healthy)
        .map(worker -> Counters.configured(worker.id()))
        .collect(Collectors.toSet());
    Set<String> there = workers.stream()
        .map(worker -> Counters.configured(worker.id()))
        .collect(Collectors.toSet());
    Scheduler.Unfinished now = unfinished(span);
    Counters counted = parts.counters;
    return new Metrics(
        counted.submitted.sum(),
        now.waiting(),
        now.held(),
        counted.completed.sum(),
        counted.failed.sum(),
        counted.cancelled.sum(),
        counted.retried.sum(),
        counted.skipped.sum(),
        online.size(),
        counted.offline(there, online),
        counted.throughput(),
        Duration.ofNanos(counted.uptimeNanos()),
        elections(span),
        parts.worker().map(WorkerPart::running).orElse(0),
        parts.events.dropped(),
        counted.dispatched(),
        counted.delays(),
        counted.runTimes(),
        heartbeatDelay(workers),
        parts.calls.unreadable(),
        counted.counting());
  }

  /** From memory, without access to the store. */
  NodeMetrics nodeMetrics() {
    Counters counted = parts.counters;
    return new NodeMetrics(
        parts.scheduler().scheduler.flatMap(Scheduler::live).map(MetricsReader::live),
        counted.tasks(),
        counted.skippedFor(),
        counted.electionsWon.sum(),
        parts.events.dropped(),
        counted.rejected.sum(),
        parts.repaired(),
        retained(parts.scheduler().scheduler.map(Scheduler::retained).orElseGet(RetainCounts::new)),
        parts.scheduler().submitter.room().keysRefused(),
        new NodeMetrics.Caches(
            parts.history.cacheBytes(), parts.journal.cacheBytes(), parts.executorCaches()),
        counted.lateness(),
        counted.runTimeDistribution(),
        parts.commits.now(),
        parts.worker().map(WorkerPart::running).orElse(0),
        new NodeMetrics.LeaseLosses(parts.losses.leases(), parts.losses.attemptsStopped()),
        parts.restarts(),
        Duration.ofNanos(counted.uptimeNanos()),
        counted.counting());
  }

  private static NodeMetrics.Retained retained(RetainCounts counts) {
    return new NodeMetrics.Retained(
        counts.recordsPassedOver(),
        counts.rollupsDropped(),
        counts.unfolded(),
        counts.unfoldedBytes(),
        counts.historyBytes(),
        counts.segmentsDroppedEarly(),
        counts.dedupKeys(),
        counts.rollups(),
        counts.rollupBytes(),
        counts.skipRecords());
  }

  private static NodeMetrics.Live live(LiveCounts counts) {
    Map<StateName, Map<Priority, Long>> byState = new EnumMap<>(StateName.class);
    for (StateName state : UNFINISHED) {
      Map<Priority, Long> byPriority = new EnumMap<>(Priority.class);
      for (Priority priority : Priority.values()) {
        byPriority.put(priority, counts.count(state, priority));
      }
      byState.put(state, byPriority);
    }
    return new NodeMetrics.Live(byState, counts.waitingByQueue(), counts.unmatchedByQueue());
  }

  /** Compares two clocks: that of the worker, which wrote the heartbeat, and that of this node. */
  private Duration heartbeatDelay(List<WorkerRecord> workers) {
    Instant wall = parts.time.wall();
    return workers.stream()
        .map(worker -> Duration.between(worker.heartbeat(), wall))
        .filter(Duration::isPositive)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  private Scheduler.Unfinished unfinished(Calls.Span span) {
    SchedulerPart now = parts.scheduler();
    return span.ask(now.loop, () -> now.scheduler.flatMap(Scheduler::unfinished))
        .orElseGet(() -> countUnfinished(span));
  }

  private Scheduler.Unfinished countUnfinished(Calls.Span span) {
    var waiting = new AtomicLong();
    var held = new AtomicLong();
    span.scan(parts.state, Keys.TASKS, Records::task, (key, task) -> {
      boolean waits = task.state() instanceof TaskState.Pending;
      (waits ? waiting : held).incrementAndGet();
    });
    return new Scheduler.Unfinished(waiting.get(), held.get());
  }

  private long elections(Calls.Span span) {
    return span.read(() -> parts.state.get(List.of(Keys.FENCE))).stream()
        .findFirst()
        .map(entry -> Records.term(entry.value()))
        .map(Term::number)
        .orElse(0L);
  }
}
