package io.belfry.core.submit;

import io.belfry.model.task.TaskId;

/** The answer to a submission. */
public sealed interface Receipt {

  /** It is in the store, and will be carried out. */
  record Accepted(TaskId task) implements Receipt {}

  /** The same was submitted before; this is the task it led to. */
  record Repeated(TaskId task) implements Receipt {}

  /** The id or the key was used before, for something else. Nothing was written. */
  record Conflict(TaskId task) implements Receipt {}
}
