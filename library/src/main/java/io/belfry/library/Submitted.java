package io.belfry.library;

import io.belfry.model.task.TaskId;

/** The outcome of one submission of a batch. */
public sealed interface Submitted {

  /** The task was created and is durable. */
  record Accepted(TaskId task) implements Submitted {}

  /** The same submission was accepted before; {@code task} is the existing task. */
  record Repeated(TaskId task) implements Submitted {}

  /**
   * The submission was refused. After {@link io.belfry.store.StoreException.Unknown} the task may exist nevertheless.
   *
   * @param cause the reason
   */
  record Refused(RuntimeException cause) implements Submitted {}
}
