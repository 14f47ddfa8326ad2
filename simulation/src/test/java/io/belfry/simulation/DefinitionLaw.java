package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import io.belfry.store.Change;
import io.belfry.store.Entry;
import java.util.HashMap;
import java.util.Map;

/**
 * Every task of a job does what the newest definition of the job says, also if the job was deleted and created again under the same id.
 * Payloads tell definitions apart: only for worlds in which each definition has its own, and no trigger brings one.
 *
 * <p>Threading: confined to its world.
 */
final class DefinitionLaw implements EngineEar {
  static final String LAW = "I2 the newest acknowledged definition runs";

  private final World world;
  private final Map<JobId, Job> newest = new HashMap<>();

  DefinitionLaw(Simulation simulation) {
    this.world = simulation.world();
    simulation.engine().addEar(this);
  }

  @Override
  public void settled(EngineStep step) {
    for (Change change : step.changes()) {
      if (change.key().space().equals(Keys.JOBS)) {
        if (change instanceof Change.Put(Entry entry)) {
          Job job = Records.job(entry.value());
          newest.put(job.id(), job);
        } else {
          newest.remove(new JobId(change.key().text()));
        }
      }
    }
    for (Change change : step.changes()) {
      if (change instanceof Change.Put(Entry entry)
          && entry.key().space().equals(Keys.TASKS)
          && step.before(entry.key()) == null) {
        judge(step, Records.task(entry.value()));
      }
    }
  }

  private void judge(EngineStep step, Task task) {
    Job job = task.id().jobId().map(newest::get).orElse(null);
    if (task.id().jobId().isEmpty()) {
      return;
    }
    world.count("tasks by their definition");
    if (job == null || !job.work().payload().equals(task.work().payload())) {
      throw world.violation(
          LAW,
          step.by() + " created " + task.id() + " with the payload "
              + task.work().payload().text() + ", but "
              + (job == null
                  ? "the job is gone"
                  : "the job of generation " + job.generation() + " has "
                      + job.work().payload().text()));
    }
  }
}
