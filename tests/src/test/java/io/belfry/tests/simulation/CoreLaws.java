package io.belfry.tests.simulation;

import io.belfry.core.fire.Timetables;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.missed.Timetable;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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
  private final Set<String> ended = new HashSet<>();
  private final Set<String> accepted = new HashSet<>();
  private final Set<String> cancelled = new HashSet<>();
  private final Map<JobId, Long> off = new HashMap<>();
  private final Map<JobId, List<SkippedRange>> skips = new HashMap<>();
  private final Map<JobId, List<Instant>> fires = new HashMap<>();
  private final Set<String> atMostOnce = new HashSet<>();

  CoreLaws(Simulation simulation) {
    this.simulation = simulation;
    this.world = simulation.world();
    simulation.engine().addEar(this);
    simulation.ledger().addEar(this);
  }

  void accepted(TaskId id) {
    accepted.add(id.toString());
  }

  void cancelled(TaskId id) {
    cancelled.add(id.toString());
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
        task(change);
      } else if (key.space().equals(Keys.SKIPS) && change instanceof Change.Put(var entry)) {
        SkippedRange range = Records.skippedRange(entry.value());
        String name = key.text();
        skips
            .computeIfAbsent(
                new JobId(name.substring(0, name.indexOf('/'))), j -> new ArrayList<>())
            .add(range);
      }
    }
  }

  private void task(Change change) {
    String id = change.key().text();
    if (change instanceof Change.Deleted) {
      ended.add(id);
      return;
    }
    if (created.add(id) && change instanceof Change.Put(var entry)) {
      Task task = Records.task(entry.value());
      if (task.work().atMostOnce()) {
        atMostOnce.add(id);
      }
      if (task.id() instanceof TaskId.Fire(JobId job, Instant at)
          && at.toEpochMilli() > 1_000_000_000L) {
        fires.computeIfAbsent(job, j -> new ArrayList<>()).add(at);
      }
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
      if (!created.contains(id)) {
        throw world.violation("I2 nothing acknowledged is lost", id + " was never made");
      }
    }
    simulation.engine().state().slots().forEach((key, slot) -> {
      if (key.space().equals(Keys.REQUESTS)) {
        throw world.violation("I7 everything recovers", key + " was never met");
      }
      if (key.space().equals(Keys.CURSORS)) {
        everyInstant(new JobId(key.text()), Records.cursor(slot.value()));
      }
    });
  }

  /** Each due instant has one task or lies in one range of skips; instants while it was off were not due. */
  private void everyInstant(JobId id, Cursor cursor) {
    Optional<Job> job = job(id);
    if (job.isEmpty() || cursor.last().isEmpty()) {
      return;
    }
    Timetable timetable = Timetables.of(job.get(), Optional.empty());
    Set<Instant> fired = new HashSet<>(fires.getOrDefault(id, List.of()));
    List<SkippedRange> ranges = skips.getOrDefault(id, List.of());
    for (Instant at : fired) {
      if (ranges.stream().anyMatch(range -> covers(range, at))) {
        throw world.violation(
            "I1 exactly one outcome", id + " at " + at + " was fired and skipped");
      }
    }
    if (timetable.next(Instant.EPOCH).isEmpty()) {
      return;
    }
    for (int i = 0; i < ranges.size(); i++) {
      for (int j = i + 1; j < ranges.size(); j++) {
        if (covers(ranges.get(i), ranges.get(j).from())
            || covers(ranges.get(j), ranges.get(i).from())) {
          throw world.violation(
              "I1 exactly one outcome", id + ": " + ranges.get(i) + " and " + ranges.get(j));
        }
      }
    }
  }

  private Optional<Job> job(JobId id) {
    return Optional.ofNullable(simulation.engine().state().slots().get(Keys.job(id)))
        .map(slot -> Records.job(slot.value()));
  }

  private static boolean covers(SkippedRange range, Instant at) {
    return !at.isBefore(range.from()) && !at.isAfter(range.to());
  }
}
