package io.belfry.core.reign;

import io.belfry.core.fire.Outcome;
import io.belfry.core.fire.Plan;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.Cursor;
import io.belfry.model.job.Job;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;

/** The task of a job that was fired before this one. Threading: stateless. */
final class Previous {
  private Previous() {}

  /** Whether the previous task is still there is decided by the store, not by what we remember. */
  static void guard(Commit.Builder commit, LiveTasks tasks, Cursor cursor, Plan plan, Job job) {
    if (job.overlap() != OverlapPolicy.SKIP || cursor.previous().isEmpty()) {
      return;
    }
    TaskId previous = cursor.previous().get();
    LiveTask live = tasks.find(previous);
    boolean overlaps = plan.outcomes().stream()
        .anyMatch(outcome ->
            outcome instanceof Outcome.Skip(var range) && range.reason() == SkipReason.OVERLAP);
    if (!plan.fires().isEmpty() && live == null) {
      commit.absent(Keys.task(previous));
    } else if (overlaps && live != null && plan.fires().isEmpty()) {
      commit.unchanged(Keys.task(previous), live.revision);
    }
  }
}
