package io.belfry.core.execute;

import io.belfry.model.task.Failure;

/** An attempt went wrong, and its code knows in which way. */
public final class AttemptException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient Failure failure;

  public AttemptException(Failure failure) {
    super(failure.result().message());
    this.failure = failure;
  }

  /** What was asked for can never be carried out: it is not tried again. */
  public static AttemptException rejected(String message) {
    return new AttemptException(Failure.rejected(message));
  }

  public Failure failure() {
    return failure;
  }
}
