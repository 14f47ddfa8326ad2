package io.belfry.store;

import org.jspecify.annotations.Nullable;

/** Why the store has no answer. Only {@link Unknown} leaves open whether something happened. */
public abstract sealed class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The commit may have been applied, may still be, or never will. See {@link Store} for how to settle it. */
  public static final class Unknown extends StoreException {
    private static final long serialVersionUID = 1;

    public Unknown(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The engine did not take the request; nothing happened and nothing will. Worth trying again. */
  public static final class Unavailable extends StoreException {
    private static final long serialVersionUID = 1;

    public Unavailable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** More is waiting than is allowed; nothing happened. Worth trying again later, and slower. */
  public static final class Overloaded extends StoreException {
    private static final long serialVersionUID = 1;

    public Overloaded(String message) {
      super(message, null);
    }
  }

  /** The engine has no room; nothing happened. An operator must make some. */
  public static final class Full extends StoreException {
    private static final long serialVersionUID = 1;

    public Full(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * The engine does not allow it: credentials, permissions, or settings that are not safe; nothing happened. An operator must act, and may
   * just be doing so: a password that is changed, a replica that was promoted. Worth trying again later, by who does not wait for it.
   */
  public static final class Denied extends StoreException {
    private static final long serialVersionUID = 1;

    public Denied(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The data is damaged; the store does not open, or stopped. Nothing happened. An operator must act. */
  public static final class Damaged extends StoreException {
    private static final long serialVersionUID = 1;

    public Damaged(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** This store was closed before the request was sent. */
  public static final class Closed extends StoreException {
    private static final long serialVersionUID = 1;

    public Closed() {
      super("The store is closed. Open a new one.", null);
    }
  }
}
