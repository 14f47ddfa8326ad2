package io.belfry.core.dispatch;

import io.belfry.core.record.WorkerRecord;
import io.belfry.core.record.WorkerRecord.Load;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Priority;
import io.belfry.model.task.TaskId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Workers and tasks for tests, with defaults. */
final class Given {
  static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");

  private Given() {}

  static Dispatcher<String> dispatcher(String strategy) {
    return Dispatcher.first(
        Strategies.builtIn().make(strategy), Dispatcher.DEFAULT_STEP, new SplittableRandom(7));
  }

  static WorkerRecord worker(String id, int capacity) {
    return worker(id, capacity, Set.of(), Map.of());
  }

  static WorkerRecord worker(
      String id, int capacity, Set<String> queues, Map<String, String> labels) {
    return worker(id, capacity, queues, labels, true, 1, Load.NONE, 0);
  }

  static WorkerRecord weighted(String id, int weight) {
    return worker(id, 1_000, Set.of(), Map.of(), true, weight, Load.NONE, 0);
  }

  static WorkerRecord loaded(String id, int capacity, Load load, int reportedHeld) {
    return worker(id, capacity, Set.of(), Map.of(), true, 1, load, reportedHeld);
  }

  static WorkerRecord draining(String id, int capacity) {
    return worker(id, capacity, Set.of(), Map.of(), false, 1, Load.NONE, 0);
  }

  static WorkerRecord worker(
      String id,
      int capacity,
      Set<String> queues,
      Map<String, String> labels,
      boolean accepting,
      int weight,
      Load load,
      int reportedHeld) {
    List<Long> held = Stream.iterate(1L, n -> n + 1).limit(reportedHeld).toList();
    return new WorkerRecord(
        id, id, "", labels, queues, weight, capacity, accepting, true, false, NOON, NOON, 1, load,
        held);
  }

  static WaitingTask<String> task(String id) {
    return task(id, Priority.NORMAL, NOON);
  }

  static WaitingTask<String> task(String id, Priority priority, Instant due) {
    return task(id, priority, due, "default", Map.of(), Limit.NONE, "");
  }

  static WaitingTask<String> limited(String id, Limit limit, String key) {
    return task(id, Priority.NORMAL, NOON, "default", Map.of(), limit, key);
  }

  static WaitingTask<String> queued(String id, String queue, Map<String, String> labels) {
    return task(id, Priority.NORMAL, NOON, queue, labels, Limit.NONE, "");
  }

  static WaitingTask<String> task(
      String id,
      Priority priority,
      Instant due,
      String queue,
      Map<String, String> labels,
      Limit limit,
      String limitKey) {
    return new WaitingTask<>(
        TaskId.parse(id), 1, priority, due, queue, labels, limit, limitKey, id, "job", 0, id);
  }

  static WaitingTask<String> arrived(WaitingTask<String> t, long order) {
    return new WaitingTask<>(
        t.id(),
        t.revision(),
        t.priority(),
        t.due(),
        t.queue(),
        t.labels(),
        t.limit(),
        t.limitKey(),
        t.hashKey(),
        t.job(),
        order,
        t.body());
  }

  /** Every task that can be assigned now. */
  static List<Match<String>> drain(Dispatcher<String> dispatcher, Instant now, long nanos) {
    var matches = new ArrayList<Match<String>>();
    for (var match = dispatcher.next(now, nanos);
        match.isPresent();
        match = dispatcher.next(now, nanos)) {
      matches.add(match.get());
    }
    return matches;
  }

  static List<String> bodies(List<Match<String>> matches) {
    return matches.stream().map(match -> match.task().body()).toList();
  }

  static List<String> workers(List<Match<String>> matches) {
    return matches.stream().map(Match::worker).toList();
  }
}
