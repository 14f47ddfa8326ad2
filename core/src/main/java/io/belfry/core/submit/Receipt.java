package io.belfry.core.submit;

import io.belfry.model.task.TaskId;

/** The answer to a submission. */
public sealed interface Receipt {

  /** The task is in the store, and will be run. */
  record Accepted(TaskId task) implements Receipt {}

  /** The same submission was made before; this is its task. */
  record Repeated(TaskId task) implements Receipt {}

  /** The id or the key was used before, for another submission. Nothing was written. */
  record Conflict(TaskId task) implements Receipt {}
}
