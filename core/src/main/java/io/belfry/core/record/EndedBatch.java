package io.belfry.core.record;

import io.belfry.model.task.Task;
import java.util.List;

/**
 * The finished tasks of one batch.
 *
 * @param progress how far the jobs that run after these tasks have been started
 */
public record EndedBatch(Progress progress, List<Task> tasks) {

  /**
   * Follow-up jobs are started in the order of the tasks and, for each task, in the order of the job ids.
   *
   * @param ended revision of the commit that ended the tasks; 0: that of this record
   * @param tasks for how many of the tasks all follow-up jobs have been started
   * @param job for the next task, the jobs up to this id have been started; empty: none
   */
  public record Progress(long ended, int tasks, String job) {
    public static final Progress NONE = new Progress(0, 0, "");
  }

  /**
   * A batch as it is first written.
   *
   * @param followed whether no follow-up job is left to be started
   */
  public EndedBatch(boolean followed, List<Task> tasks) {
    this(followed ? new Progress(0, tasks.size(), "") : Progress.NONE, tasks);
  }

  public boolean followed() {
    return progress.tasks >= tasks.size();
  }
}
