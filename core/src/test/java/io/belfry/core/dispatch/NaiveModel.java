package io.belfry.core.dispatch;

import io.belfry.core.record.WorkerRecord;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The documented behavior of {@link Dispatcher}, by checking everything every time. */
final class NaiveModel {
  private static final List<Priority> STEPS =
      List.of(Priority.LOW, Priority.NORMAL, Priority.HIGH, Priority.URGENT);

  final Map<String, WaitingTask<String>> waiting = new LinkedHashMap<>();
  final Map<String, WorkerRecord> workers = new LinkedHashMap<>();
  final List<Match<String>> held = new ArrayList<>();
  final Set<String> paused = new HashSet<>();
  private final Map<String, List<Long>> starts = new HashMap<>();
  private final Duration step;

  NaiveModel(Duration step) {
    this.step = step;
  }

  Optional<WaitingTask<String>> best(Instant now, long nanos) {
    return waiting.values().stream()
        .filter(task -> isTakeable(task, now, nanos))
        .min(Comparator.<WaitingTask<String>, Instant>comparing(
                task -> task.due().minus(step.multipliedBy(STEPS.indexOf(task.priority()))))
            .thenComparingLong(WaitingTask::order));
  }

  private boolean isTakeable(WaitingTask<String> task, Instant now, long nanos) {
    return !task.due().isAfter(now)
        && !paused.contains(task.queue())
        && isWithinLimit(task, nanos)
        && workers.keySet().stream().anyMatch(id -> mayTake(id, task));
  }

  boolean mayTake(String id, WaitingTask<String> task) {
    WorkerRecord worker = workers.get(id);
    return worker != null
        && worker.accepting()
        && heldBy(id) < worker.capacity()
        && (worker.queues().isEmpty() || worker.queues().contains(task.queue()))
        && task.labels().entrySet().stream()
            .allMatch(label -> label.getValue().equals(worker.labels().get(label.getKey())));
  }

  private long heldBy(String id) {
    return held.stream().filter(match -> match.worker().equals(id)).count();
  }

  private boolean isWithinLimit(WaitingTask<String> task, long nanos) {
    Limit limit = task.limit();
    long running = held.stream()
        .filter(match -> match.task().isLimited())
        .filter(match -> match.task().limitKey().equals(task.limitKey()))
        .count();
    boolean concurrency = limit.concurrency().map(n -> running < n).orElse(true);
    boolean rate = limit
        .rate()
        .map(r -> startsSince(task.limitKey(), nanos - r.per().length().toNanos()) < r.count())
        .orElse(true);
    return concurrency && rate;
  }

  private long startsSince(String key, long nanos) {
    return starts.getOrDefault(key, List.of()).stream()
        .filter(start -> start > nanos)
        .count();
  }

  void take(Match<String> match) {
    waiting.remove(match.task().body());
    held.add(match);
    starts.computeIfAbsent(match.task().limitKey(), key -> new ArrayList<>()).add(match.nanos());
  }

  void undo(Match<String> match) {
    held.remove(match);
    starts.getOrDefault(match.task().limitKey(), new ArrayList<>()).remove(match.nanos());
    waiting.put(match.task().body(), match.task());
  }
}
