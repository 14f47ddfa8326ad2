package io.belfry.core.leader.task;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Cursor;
import io.belfry.model.job.Job;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import java.util.function.Consumer;

/**
 * The task of a job that was started before this one: the only place where a start or a skip is guarded by it, for jobs that go by the
 * clock and for those that run after others. Threading: stateless.
 */
public final class OverlapGuard {
  private OverlapGuard() {}

  /**
   * Whether the previous task is still there is decided by the store, not by what the leader remembers. That holds while a write of that
   * task is in flight as well: the write may be its end.
   *
   * @param starts whether the commit starts a task of the job
   * @param overlaps whether it skips one because of the overlap
   */
  public static Consumer<Commit.Builder> guard(
      TaskIndex tasks, Cursor cursor, Job job, boolean starts, boolean overlaps) {
    if (job.overlap() != OverlapPolicy.SKIP || cursor.previous().isEmpty()) {
      return commit -> {};
    }
    TaskId previous = cursor.previous().get();
    LiveTask live = tasks.find(previous);
    if (starts && live == null) {
      return commit -> commit.absent(Keys.task(previous));
    }
    if (overlaps && live != null && !starts) {
      long revision = live.revision();
      return commit -> commit.unchanged(Keys.task(previous), revision);
    }
    return commit -> {};
  }
}
