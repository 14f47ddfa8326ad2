package io.belfry.core.dispatch;

/** Whether a limit allows one more task to start. */
sealed interface Permission {
  enum Now implements Permission {
    NOW
  }

  /** After a task that counts against the same limit has ended. */
  enum AfterAnEnd implements Permission {
    AFTER_AN_END
  }

  /** Not before this monotonic time. */
  record At(long nanos) implements Permission {}
}
