package io.belfry.core.execute;

import io.belfry.model.task.Failure;

/** Thrown by an attempt's code to say which kind of failure occurred. */
public final class AttemptException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient Failure failure;

  public AttemptException(Failure failure) {
    super(failure.result().message());
    this.failure = failure;
  }

  /** The request can never succeed: the task is not retried. */
  public static AttemptException rejected(String message) {
    return new AttemptException(Failure.rejected(message));
  }

  public Failure failure() {
    return failure;
  }
}
