package io.belfry.client;

/** What a call can end with instead of an answer. Its message is a sentence for people, and never contains a token. */
public abstract sealed class BelfryException extends RuntimeException
    permits ApiException, UnreachableException {

  BelfryException(String message) {
    super(message);
  }

  BelfryException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Whether what was asked for may have happened all the same. Look before asking again. */
  public abstract boolean isUnknown();
}
