package io.belfry.library;

import io.belfry.model.task.TaskId;

/** The id or key of a submission was used before, for something else. Nothing was written. */
public final class ConflictException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient TaskId task;

  ConflictException(TaskId task) {
    super(
        "the id or key of a submission must be new, or come with the same content again, but belongs to task "
            + task + ", which is another. Choose another id or key, or submit the same content.");
    this.task = task;
  }

  /** The task that has the id or key. */
  public TaskId task() {
    return task;
  }
}
