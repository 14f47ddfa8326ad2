package io.belfry.core.record;

import io.belfry.model.task.Task;
import java.util.List;

/**
 * Finished tasks of one lot.
 *
 * @param progress how far the jobs that run after these tasks have been started
 */
public record Segment(Progress progress, List<Task> tasks) {

  /**
   * What follows from tasks is started in their order and, for each, in the order of the ids of the jobs.
   *
   * @param ended revision of the commit that ended the tasks; 0: that of this record
   * @param tasks so many of the tasks have led to everything that follows from them
   * @param job for the next task, the jobs up to this id have been started; empty: none
   */
  public record Progress(long ended, int tasks, String job) {
    public static final Progress NONE = new Progress(0, 0, "");
  }

  /**
   * A lot as it is first written.
   *
   * @param followed whether nothing is left to be started after these tasks
   */
  public Segment(boolean followed, List<Task> tasks) {
    this(followed ? new Progress(0, tasks.size(), "") : Progress.NONE, tasks);
  }

  public boolean followed() {
    return progress.tasks >= tasks.size();
  }
}
