package io.belfry.core.leader.fire;

import io.belfry.core.fire.JobTable;
import io.belfry.core.fire.Plan;
import io.belfry.core.keys.Keys;
import io.belfry.model.job.JobId;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.Task;
import io.belfry.store.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is to be committed of one job that is due, and from what it follows. Threading: immutable.
 *
 * @param tasks that are created
 * @param skipped the first skip, with the earlier ones that it was joined to
 */
record FireBatch(
    JobTable.Due due,
    JobDefinitions.Known known,
    InstantVerdicts verdicts,
    Plan plan,
    List<Task> tasks,
    Optional<SkippedRange> skipped) {

  JobId job() {
    return due.job();
  }

  long incarnation() {
    return known.job().incarnation();
  }

  List<Key> taskKeys() {
    var keys = new ArrayList<Key>();
    tasks.forEach(task -> keys.add(Keys.task(task.id())));
    return keys;
  }

  /** The records that say whether one of the tasks was requested by a trigger. */
  List<Key> requestKeys() {
    var keys = new ArrayList<Key>();
    for (Task task : tasks) {
      keys.add(Keys.asked(task.id(), incarnation()));
      keys.add(Keys.trigger(task.id(), incarnation()));
    }
    return keys;
  }
}
