package io.belfry.core.dispatch;

/** Whether a limit lets one more task start. */
sealed interface Permission {
  enum Now implements Permission {
    NOW
  }

  /** Once a task that is counted together with it has ended. */
  enum AfterAnEnd implements Permission {
    AFTER_AN_END
  }

  /** Not before the stopwatch shows this. */
  record At(long nanos) implements Permission {}
}
