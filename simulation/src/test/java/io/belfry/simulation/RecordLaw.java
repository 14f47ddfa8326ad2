package io.belfry.simulation;

import io.belfry.core.fire.Timetables;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.missed.Timetable;
import io.belfry.model.task.TaskId;
import io.belfry.store.Change;
import io.belfry.store.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Each due instant of each incarnation of a job has a record by the time it is long past: a task that was created while this incarnation
 * existed, or a skip. Due instants come from the definition and from the calendar, not from what the core says of its progress.
 *
 * <p>Only for jobs that fire by a timetable without a calendar. Threading: confined to its world.
 */
final class RecordLaw implements EngineEar {
  static final String LAW = "I1 each due instant of each incarnation has a record";

  /** One job from its creation to its deletion. */
  private static final class Incarnation {
    Timetable times;
    /** The first instant that is not known to have its record. */
    Optional<Instant> next;

    final Set<Instant> fired = new HashSet<>();
    final List<SkippedRange> skipped = new ArrayList<>();

    Incarnation(Timetable times, Optional<Instant> next) {
      this.times = times;
      this.next = next;
    }

    boolean has(Instant due) {
      return fired.contains(due)
          || skipped.stream()
              .anyMatch(range -> !due.isBefore(range.from()) && !due.isAfter(range.to()));
    }
  }

  private final World world;
  private final Duration patience;
  private final Map<JobId, Incarnation> incarnations = new HashMap<>();

  /**
   * @param patience an instant that passed so long ago has its record
   */
  RecordLaw(Simulation simulation, Duration patience) {
    this.world = simulation.world();
    this.patience = patience;
    simulation.engine().addEar(this);
  }

  @Override
  public void settled(EngineStep step) {
    for (Change change : step.changes()) {
      String name = change.key().text();
      if (change.key().space().equals(Keys.SKIPS) && change instanceof Change.Put(Entry entry)) {
        skipped(new JobId(name.substring(0, name.indexOf('/'))), entry);
      } else if (change.key().space().equals(Keys.TASKS)
          && change instanceof Change.Put
          && step.before(change.key()) == null
          && TaskId.parse(name) instanceof TaskId.Fire(JobId job, Instant at)) {
        Optional.ofNullable(incarnations.get(job)).ifPresent(one -> one.fired.add(at));
      }
    }
    for (Change change : step.changes()) {
      if (change.key().space().equals(Keys.JOBS)) {
        job(step, change);
      }
    }
  }

  private void skipped(JobId job, Entry entry) {
    Optional.ofNullable(incarnations.get(job))
        .ifPresent(one -> one.skipped.add(Records.skippedRange(entry.value())));
  }

  private void job(EngineStep step, Change change) {
    var id = new JobId(change.key().text());
    Incarnation before = incarnations.get(id);
    if (before != null) {
      check(id, before);
    }
    if (!(change instanceof Change.Put(Entry entry))) {
      incarnations.remove(id);
      return;
    }
    Job job = Records.job(entry.value());
    Timetable times = Timetables.of(job, Optional.empty());
    Optional<Instant> next =
        job.enabled() ? times.next(SimTime.trueTime(world).plus(patience)) : Optional.empty();
    if (before == null || step.before(change.key()) == null) {
      incarnations.put(id, new Incarnation(times, next));
      world.count("incarnations");
    } else {
      before.times = times;
      before.next = next;
    }
  }

  /** Everything that has been due for long has its record. */
  void check() {
    incarnations.forEach(this::check);
  }

  private void check(JobId id, Incarnation one) {
    Instant past = SimTime.trueTime(world).minus(patience);
    while (one.next.isPresent() && !one.next.get().isAfter(past)) {
      Instant due = one.next.get();
      if (!one.has(due)) {
        throw world.violation(LAW, id + " was due at " + due + ", of which there is no record");
      }
      world.count("due instants with their record");
      one.next = one.times.next(due);
    }
    one.fired.removeIf(at -> one.next.filter(at::isBefore).isPresent());
    one.skipped.removeIf(range -> one.next.filter(range.to()::isBefore).isPresent());
  }
}
