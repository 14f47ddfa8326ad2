package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.HistorySegment;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Write;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What must hold of jobs and tasks, told from the engine's settled steps, the ledger and what the client heard.
 *
 * <p>Threading: confined to its world.
 */
final class CoreLaws implements EngineEar, Ledger.Ear {
  private final World world;
  private final Simulation simulation;
  private final Set<String> created = new HashSet<>();
  /** How often: an id is given again by a job that was deleted and created again. */
  private final Map<String, Integer> ended = new HashMap<>();

  private final Set<String> accepted = new HashSet<>();
  private final Set<String> refused = new HashSet<>();
  private final Map<JobId, Long> off = new HashMap<>();
  private final Set<JobId> jobs = new HashSet<>();
  /** Triggers that stand, and what may come to nothing because their job was gone while they did. */
  private final Set<TaskId> triggers = new LinkedHashSet<>();

  private final Set<String> excused = new HashSet<>();
  private final Map<String, Set<String>> byKey = new LinkedHashMap<>();
  private final Set<String> atMostOnce = new HashSet<>();

  CoreLaws(Simulation simulation) {
    this.simulation = simulation;
    this.world = simulation.world();
    simulation.engine().addEar(this);
    simulation.ledger().addEar(this);
  }

  /** Somebody heard that there was no room for it: so it must never come. */
  void refused(TaskId id) {
    world.count("refused submissions");
    refused.add(id.toString());
  }

  void accepted(TaskId id) {
    accepted.add(id.toString());
  }

  /** Somebody submits a task under a key of his own, and perhaps others under the same. */
  void keyed(String key, TaskId id) {
    byKey.computeIfAbsent(key, unused -> new LinkedHashSet<>()).add(id.toString());
  }

  /** A repeated submission was told which task stands for it. */
  void repeated(String key, TaskId of) {
    if (!byKey.getOrDefault(key, Set.of()).contains(of.toString())) {
      throw world.violation("I2 one task per key", key + " is said to have led to " + of);
    }
    accepted(of);
  }

  /** Acknowledged: from here on nothing of this generation, or of an older one, fires. */
  void disabled(Job job) {
    off.merge(job.id(), job.generation(), Math::max);
  }

  @Override
  public void settled(EngineStep step) {
    step.commits().forEach(commit -> afterDisable(step, commit));
    for (Change change : step.changes()) {
      Key key = change.key();
      if (key.space().equals(Keys.TASKS)) {
        task(step, change);
      } else if (key.space().equals(Keys.JOBS)) {
        job(new JobId(key.text()), change instanceof Change.Put);
      } else if (key.space().equals(Keys.REQUESTS) && key.text().startsWith("t")) {
        String name = key.text().substring(1);
        int incarnation = name.indexOf('~');
        TaskId task = TaskId.parse(incarnation < 0 ? name : name.substring(0, incarnation));
        trigger(task, change instanceof Change.Put);
      }
    }
  }

  private void job(JobId id, boolean exists) {
    if (exists) {
      jobs.add(id);
    } else {
      jobs.remove(id);
      triggers.stream()
          .filter(task -> task.jobId().equals(Optional.of(id)))
          .forEach(task -> excused.add(task.toString()));
    }
  }

  private void trigger(TaskId task, boolean asked) {
    if (!asked) {
      triggers.remove(task);
    } else {
      triggers.add(task);
      if (task.jobId().filter(jobs::contains).isEmpty()) {
        excused.add(task.toString());
      }
    }
  }

  private void task(EngineStep step, Change change) {
    String id = change.key().text();
    if (!(change instanceof Change.Put(var entry))) {
      ended.merge(id, 1, Integer::sum);
      return;
    }
    Task task = Records.task(entry.value());
    if (created.add(id) && task.work().atMostOnce()) {
      atMostOnce.add(id);
    }
    EngineStep.Slot before = step.before(change.key());
    if (before != null && Records.task(before.value()).attempts() > task.attempts()) {
      throw world.violation(
          "I3 no task goes back to an earlier attempt", step.by() + " wrote " + task);
    }
  }

  private void afterDisable(EngineStep step, Commit commit) {
    boolean fires = commit.writes().stream()
        .anyMatch(write -> write instanceof Write.Put
            && write.key().space().equals(Keys.TASKS)
            && write.key().text().contains("@"));
    for (Write write : commit.writes()) {
      if (fires && write instanceof Write.Put put && put.key().space().equals(Keys.CURSORS)) {
        long generation = Records.cursor(put.value()).generation();
        if (generation <= off.getOrDefault(new JobId(put.key().text()), 0L)) {
          throw world.violation(
              "I2 no acknowledged change comes back",
              step.by() + " fired " + put.key() + " of generation " + generation
                  + " after it had been switched off");
        }
      }
    }
  }

  @Override
  public void started(Ledger.Line line, List<Ledger.Line> before) {
    if (atMostOnce.contains(line.task) && !before.isEmpty()) {
      throw world.violation("at most once", line + " started again after " + before);
    }
  }

  void checkEnd() {
    for (String id : accepted) {
      if (!created.contains(id) && !excused.contains(id)) {
        throw world.violation("I2 nothing acknowledged is lost", id + " was never made");
      }
    }
    for (String id : refused) {
      if (created.contains(id)) {
        throw world.violation("I2 what was refused does not come", id + " was made");
      }
    }
    historyIsWhole();
    simulation.engine().state().slots().forEach((key, slot) -> {
      if (key.space().equals(Keys.REQUESTS)) {
        throw world.violation("I7 everything recovers", key + " was never met");
      }
    });
    byKey.forEach((key, ids) -> {
      List<String> made = ids.stream().filter(created::contains).toList();
      if (made.size() > 1) {
        throw world.violation("I2 one task per key", key + " led to " + made);
      }
    });
  }

  /** Each task that ended lies in one batch or one segment, and nothing else does. */
  private void historyIsWhole() {
    Map<String, Integer> kept = new HashMap<>();
    simulation.engine().state().slots().forEach((key, slot) -> {
      if (key.space().equals(Keys.FRESH_HISTORY)) {
        Records.endedBatch(slot.value()).tasks().forEach(task -> keep(kept, task, key));
      } else if (key.space().equals(Keys.SEGMENTS)) {
        HistorySegment segment = HistorySegment.of(slot.value());
        for (int row = 0; row < segment.count(); row++) {
          keep(kept, segment.task(row), key);
        }
      }
    });
    ended.forEach((id, times) -> {
      if (!kept.containsKey(id)) {
        throw world.violation("history is whole", id + " ended and is nowhere");
      }
      if (kept.get(id) < times) {
        throw world.violation(
            "history is whole", id + " ended " + times + " times: " + kept.get(id));
      }
    });
  }

  private void keep(Map<String, Integer> kept, Task task, Key key) {
    TaskId id = task.id();
    int times = ended.getOrDefault(id.toString(), 0);
    if (kept.merge(id.toString(), 1, Integer::sum) > Math.max(1, times)) {
      throw world.violation("history is whole", id + " is kept twice, the second time in " + key);
    }
    boolean neverLived = task.state() instanceof TaskState.Skipped;
    if (times == 0 && !neverLived) {
      throw world.violation("history is whole", id + " is kept in " + key + " but has not ended");
    }
  }
}
