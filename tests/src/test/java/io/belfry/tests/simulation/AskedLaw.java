package io.belfry.tests.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.model.job.JobId;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Write;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which tasks of an instant were made because somebody asked for them, and not by their job itself, which passes over the instant then.
 *
 * <p>Threading: confined to its world.
 */
final class AskedLaw implements EngineEar {
  private final Set<String> asked = new HashSet<>();
  private final Map<JobId, Instant> latest = new HashMap<>();

  AskedLaw(Simulation simulation) {
    simulation.engine().addEar(this);
  }

  boolean wasAsked(JobId job, Instant at) {
    return asked.contains(TaskId.fire(job, at).toString());
  }

  /** Whether somebody asked for a later instant of the job, and got its task. */
  boolean wasAskedAfter(JobId job, Instant at) {
    return latest.getOrDefault(job, Instant.MIN).isAfter(at);
  }

  @Override
  public void settled(EngineStep step) {
    for (Commit commit : step.commits()) {
      for (Write write : commit.writes()) {
        boolean task = write instanceof Write.Put && write.key().space().equals(Keys.TASKS);
        if (task && answers(commit, TaskId.parse(write.key().text()))) {
          asked.add(write.key().text());
          if (TaskId.parse(write.key().text()) instanceof TaskId.Fire(JobId job, Instant at)) {
            latest.merge(job, at, (a, b) -> a.isAfter(b) ? a : b);
          }
        }
      }
    }
  }

  private static boolean answers(Commit commit, TaskId id) {
    Key request = Keys.trigger(id);
    return commit.writes().stream()
        .anyMatch(write -> write instanceof Write.Delete && write.key().equals(request));
  }
}
