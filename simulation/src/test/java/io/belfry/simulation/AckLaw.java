package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.task.TaskId;
import io.belfry.store.Change;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * I2: what was acknowledged has been written, and cannot be taken back any more: requests, and changes of jobs, of which none comes back
 * under an older generation.
 *
 * <p>Threading: confined to its world.
 */
final class AckLaw implements EngineEar {
  private static final String LAW = "I2 acknowledged is written";

  private final World world;
  private final Simulation simulation;
  private final Set<Key> requested = new HashSet<>();
  private final Map<JobId, Map<Long, Job>> saved = new HashMap<>();
  private final Map<JobId, Long> newest = new HashMap<>();
  private final Map<JobId, Long> deletedAt = new HashMap<>();
  private final Map<JobId, Long> acknowledged = new HashMap<>();

  AckLaw(Simulation simulation) {
    this.simulation = simulation;
    this.world = simulation.world();
    simulation.engine().addEar(this);
  }

  @Override
  public void settled(EngineStep step) {
    for (Change change : step.changes()) {
      Key key = change.key();
      if (key.space().equals(Keys.REQUESTS) && change instanceof Change.Put) {
        requested.add(key);
      } else if (key.space().equals(Keys.JOBS)) {
        job(step, new JobId(key.text()), change);
      }
    }
  }

  private void job(EngineStep step, JobId id, Change change) {
    long before = newest.getOrDefault(id, 0L);
    if (!(change instanceof Change.Put(Entry entry))) {
      deletedAt.put(id, before);
      return;
    }
    Job job = Records.job(entry.value());
    if (job.generation() <= before) {
      throw world.violation(
          "I2 no acknowledged change comes back",
          step.by() + " saved " + id + " as of " + job.generation() + " after " + before);
    }
    newest.put(id, job.generation());
    saved.computeIfAbsent(id, unused -> new HashMap<>()).put(job.generation(), job);
  }

  /** Somebody heard that his cancel counts. */
  void cancelled(TaskId task) {
    requested("c", task);
  }

  /** Somebody heard that his change of a priority counts. */
  void prioritised(TaskId task) {
    requested("p", task);
  }

  private void requested(String kind, TaskId task) {
    world.count("acknowledged requests");
    if (!requested.contains(Keys.request(kind + task))) {
      throw world.violation(LAW, Keys.request(kind + task) + " stands nowhere");
    }
  }

  /** Somebody heard that the job is this now. */
  void saved(Job job) {
    world.count("acknowledged changes");
    acknowledged.merge(job.id(), job.generation(), Math::max);
    if (!job.equals(saved.getOrDefault(job.id(), Map.of()).get(job.generation()))) {
      throw world.violation(LAW, job + " stands nowhere");
    }
  }

  /**
   * Somebody heard that the job is gone.
   *
   * @param since the newest generation when he asked
   */
  void deleted(JobId id, long since) {
    world.count("acknowledged changes");
    if (deletedAt.getOrDefault(id, 0L) < Math.max(1, since)) {
      throw world.violation(LAW, id + " is said to be gone, but was not deleted since " + since);
    }
  }

  long newest(JobId id) {
    return newest.getOrDefault(id, 0L);
  }

  void checkEnd() {
    acknowledged.forEach((id, generation) -> {
      EngineStep.Slot slot = simulation.engine().state().slots().get(Keys.job(id));
      long stands = slot == null
          ? deletedAt.getOrDefault(id, 0L)
          : Records.job(slot.value()).generation();
      if (stands < generation) {
        throw world.violation(
            "I2 no acknowledged change is lost",
            id + " was acknowledged as of " + generation + ", and there is " + stands);
      }
    });
  }
}
