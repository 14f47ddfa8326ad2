package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
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
  /** By the request that was met, which names the incarnation of the job. */
  private final Set<Key> asked = new HashSet<>();

  private final Map<JobId, Long> incarnations = new HashMap<>();
  private final Map<JobId, Instant> latest = new HashMap<>();

  AskedLaw(Simulation simulation) {
    simulation.engine().addEar(this);
  }

  /** Of the job as it was created last: what was asked of one that was deleted before it does not count. */
  boolean wasAsked(JobId job, Instant at) {
    return asked.contains(Keys.trigger(TaskId.fire(job, at), incarnation(job)));
  }

  long incarnation(JobId job) {
    return incarnations.getOrDefault(job, 1L);
  }

  /** Whether somebody asked for a later instant of the job, and got its task. */
  boolean wasAskedAfter(JobId job, Instant at) {
    return latest.getOrDefault(job, Instant.MIN).isAfter(at);
  }

  @Override
  public void settled(EngineStep step) {
    for (Commit commit : step.commits()) {
      for (Write write : commit.writes()) {
        if (write instanceof Write.Put put && put.key().space().equals(Keys.JOBS)) {
          Job job = Records.job(put.value());
          incarnations.put(job.id(), job.incarnation());
        }
        if (write instanceof Write.Put
            && write.key().space().equals(Keys.TASKS)
            && TaskId.parse(write.key().text()) instanceof TaskId.Fire fire) {
          answers(commit, fire);
        }
      }
    }
  }

  private void answers(Commit commit, TaskId.Fire task) {
    Key request = Keys.trigger(task, incarnation(task.job()));
    boolean met = commit.writes().stream()
        .anyMatch(write -> write instanceof Write.Delete && write.key().equals(request));
    if (met) {
      asked.add(request);
      latest.merge(task.job(), task.at(), (a, b) -> a.isAfter(b) ? a : b);
    }
  }
}
