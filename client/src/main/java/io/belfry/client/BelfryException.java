package io.belfry.client;

/** A failed call. The message is a sentence for people and never contains a token. */
public abstract sealed class BelfryException extends RuntimeException
    permits ApiException, UnreachableException {

  BelfryException(String message) {
    super(message);
  }

  BelfryException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Whether the call may have taken effect anyway. If so, check before repeating it. */
  public abstract boolean isUnknown();
}
