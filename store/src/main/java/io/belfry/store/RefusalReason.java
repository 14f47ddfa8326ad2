package io.belfry.store;

import java.util.concurrent.CompletionException;

/** Why an engine did not carry out a request: one word for each kind of {@link StoreException}. */
public enum RefusalReason {
  /** The engine cannot be reached, or does not take requests now. */
  UNAVAILABLE,
  /** The answer did not arrive in time: the request may have been carried out. */
  UNKNOWN,
  /** More requests wait in this process than are allowed. The engine itself was not asked. */
  OVERLOADED,
  /** The engine has no memory or disk space left. */
  FULL,
  /** Credentials, permissions or unsafe settings. */
  DENIED,
  /** The data is damaged. */
  DAMAGED,
  /** The store was closed by this process. */
  CLOSED;

  /** Whether the engine answers, but does not accept writes until an operator changes something. */
  public boolean needsOperator() {
    return this == FULL || this == DENIED || this == DAMAGED;
  }

  /** Whether it says anything about the engine, and not only about this process. */
  public boolean isOfEngine() {
    return this != OVERLOADED && this != CLOSED;
  }

  /** Of what a stage of a {@link Store} failed with; {@link #UNAVAILABLE} for what is no {@link StoreException}. */
  public static RefusalReason of(Throwable thrown) {
    return switch (unwrapped(thrown)) {
      case StoreException.Unknown unused -> UNKNOWN;
      case StoreException.Overloaded unused -> OVERLOADED;
      case StoreException.Full unused -> FULL;
      case StoreException.Denied unused -> DENIED;
      case StoreException.Damaged unused -> DAMAGED;
      case StoreException.Closed unused -> CLOSED;
      default -> UNAVAILABLE;
    };
  }

  static Throwable unwrapped(Throwable thrown) {
    Throwable at = thrown;
    while (at instanceof CompletionException && at.getCause() != null) {
      at = at.getCause();
    }
    return at;
  }
}
