package io.belfry.library;

import io.belfry.model.task.TaskId;

/** What became of one of many submissions. */
public sealed interface Submitted {

  /** It is in the store, and will be carried out. */
  record Accepted(TaskId task) implements Submitted {}

  /** The same was submitted before; this is the task it led to. */
  record Repeated(TaskId task) implements Submitted {}

  /**
   * It was not taken in; or, after {@link io.belfry.store.StoreException.Unknown}, perhaps not.
   *
   * @param cause says why
   */
  record Refused(RuntimeException cause) implements Submitted {}
}
