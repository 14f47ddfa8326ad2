package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Trigger;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Change;
import io.belfry.store.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which tasks of each job stand, and when the last of the others ended, told from settled steps.
 *
 * <p>Threading: confined to its world.
 */
final class Standing {
  private static final class Tasks {
    /** Fires, and what follows other jobs: of these the overlap rule decides whether they begin. */
    final Set<String> own = new LinkedHashSet<>();

    final Set<String> triggered = new LinkedHashSet<>();
    long lastEnd = Long.MIN_VALUE / 2;
  }

  private final World world;
  private final AskedLaw asked;
  private final Map<JobId, Tasks> jobs = new HashMap<>();

  Standing(World world, AskedLaw asked) {
    this.world = world;
    this.asked = asked;
  }

  /** Takes a step in, after it was judged by what stood before. */
  void settled(EngineStep step) {
    for (Change change : step.changes()) {
      if (!change.key().space().equals(Keys.TASKS)) {
        continue;
      }
      String id = change.key().text();
      TaskId.parse(id).jobId().ifPresent(job -> {
        Tasks tasks = jobs.computeIfAbsent(job, unused -> new Tasks());
        if (change instanceof Change.Put(Entry entry)) {
          (isOwn(Records.task(entry.value())) ? tasks.own : tasks.triggered).add(id);
        } else if (tasks.own.remove(id) || tasks.triggered.remove(id)) {
          tasks.lastEnd = world.now();
        }
      });
    }
  }

  /** Whether the job itself made it, by its times or after another; not somebody who triggered it. */
  boolean isOwn(Task task) {
    return (task.id() instanceof TaskId.Fire(JobId job, Instant at) && !asked.wasAsked(job, at))
        || task.work().metadata().containsKey(Trigger.After.PREDECESSOR);
  }

  Set<String> own(JobId job) {
    return of(job).own;
  }

  /** All of them. */
  int count(JobId job) {
    return of(job).own.size() + of(job).triggered.size();
  }

  /** Whether one of its tasks stands, or stood until so lately. */
  boolean stoodWithin(JobId job, Duration lately) {
    return count(job) > 0 || world.now() - of(job).lastEnd <= lately.toNanos();
  }

  private Tasks of(JobId job) {
    return jobs.getOrDefault(job, new Tasks());
  }
}
