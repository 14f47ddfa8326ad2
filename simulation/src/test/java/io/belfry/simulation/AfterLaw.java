package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.job.Trigger;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Write;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * I1 for jobs that run after others: each accepted end leads to exactly one task of every job that runs after it, or to one recorded
 * skip; and nothing else leads to one.
 *
 * <p>Threading: confined to its world.
 */
final class AfterLaw implements EngineEar {
  private static final String LAW = "I1 one follower per end";

  /** That a job runs after another. */
  private record Edge(String predecessor, String job) {}

  /** What must, or may, follow from an end. */
  private record Start(String end, String job) {}

  private final World world;
  private final Map<Edge, Trigger.After.Outcome> edges = new LinkedHashMap<>();
  private final Map<Start, Edge> owed = new LinkedHashMap<>();
  /** Owed by a job whose trigger has been changed since: perhaps before the leader came to it. */
  private final Set<Start> excused = new HashSet<>();

  private final Map<Start, String> paid = new HashMap<>();

  AfterLaw(Simulation simulation) {
    this.world = simulation.world();
    simulation.engine().addEar(this);
    simulation.laws().atEnd(this::unpaid);
  }

  @Override
  public void settled(EngineStep step) {
    // Within a step nobody can tell what came first.
    Map<Edge, Trigger.After.Outcome> before = new LinkedHashMap<>(edges);
    for (Change change : step.changes()) {
      if (change.key().space().equals(Keys.AFTER) && !change.key().equals(Keys.AFTER_EDITION)) {
        edge(change);
      }
    }
    for (Commit commit : step.commits()) {
      commit.writes().forEach(write -> ends(commit, write, before));
    }
    for (Change change : step.changes()) {
      if (change instanceof Change.Put(Entry entry) && step.before(entry.key()) == null) {
        starts(entry);
      }
    }
  }

  private void edge(Change change) {
    String name = change.key().text();
    int slash = name.indexOf('/');
    var edge = new Edge(name.substring(0, slash), name.substring(slash + 1));
    owed.forEach((start, by) -> {
      if (by.equals(edge)) {
        excused.add(start);
      }
    });
    if (change instanceof Change.Put(Entry entry)) {
      edges.put(edge, Records.outcome(entry.value()));
    } else {
      edges.remove(edge);
    }
  }

  private void ends(Commit commit, Write write, Map<Edge, Trigger.After.Outcome> before) {
    if (!(write instanceof Write.Put put) || !put.key().space().equals(Keys.FRESH_HISTORY)) {
      return;
    }
    for (Task task : Records.endedBatch(put.value()).tasks()) {
      boolean endsHere = commit.writes().stream()
          .anyMatch(
              each -> each instanceof Write.Delete && each.key().equals(Keys.task(task.id())));
      if (endsHere) {
        before.forEach((edge, on) -> end(task, edge, on));
        edges.forEach((edge, on) -> {
          if (on != before.get(edge)) {
            excused.add(end(task, edge, on));
          }
        });
      }
    }
  }

  private Start end(Task task, Edge edge, Trigger.After.Outcome on) {
    var start = new Start(task.id().toString(), edge.job);
    boolean follows = switch (on) {
      case SUCCEEDED -> task.state() instanceof TaskState.Succeeded;
      case FAILED -> task.state() instanceof TaskState.Failed;
      case FINISHED -> true;
    };
    String job = task.id().jobId().map(Object::toString).orElse("");
    if (follows && job.equals(edge.predecessor)) {
      owed.put(start, edge);
      if (!edges.containsKey(edge)) {
        excused.add(start);
      }
    }
    return start;
  }

  private void starts(Entry entry) {
    if (entry.key().space().equals(Keys.TASKS)) {
      pay(Records.task(entry.value()));
    } else if (entry.key().space().equals(Keys.FRESH_HISTORY)) {
      Records.endedBatch(entry.value()).tasks().stream()
          .filter(task -> task.state() instanceof TaskState.Skipped)
          .forEach(this::pay);
    }
  }

  private void pay(Task task) {
    String end = task.work().metadata().get(Trigger.After.PREDECESSOR);
    if (end == null) {
      return;
    }
    var start = new Start(end, task.id().jobId().orElseThrow().value());
    if (!owed.containsKey(start)) {
      throw world.violation(LAW, task.id() + " follows " + end + ", which did not end so");
    }
    world.count(task.state() instanceof TaskState.Skipped ? "follow-skips" : "follow-starts");
    String first = paid.putIfAbsent(start, task.id() + " " + task.state());
    if (first != null) {
      throw world.violation(LAW, start + " led to " + first + " and to " + task.id());
    }
  }

  private Optional<String> unpaid() {
    return owed.keySet().stream()
        .filter(start -> !paid.containsKey(start) && !excused.contains(start))
        .findFirst()
        .map(start -> start + " led to nothing");
  }
}
