package io.belfry.library;

import io.belfry.model.task.TaskId;

/** The id or idempotency key of a submission was used before with different content. Nothing was written. */
public final class ConflictException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient TaskId task;

  ConflictException(TaskId task) {
    super(
        "the id or key of a submission must be new or come with the same content, but belongs to task "
            + task
            + " with different content. Choose another id or key, or submit the same content.");
    this.task = task;
  }

  /** The existing task with this id or key. */
  public TaskId task() {
    return task;
  }
}
