package io.belfry.core.execute;

import io.belfry.core.worker.Launcher.Ending;
import io.belfry.model.task.Failure;
import org.jspecify.annotations.Nullable;

/** Converts exceptions of user code into reported failures. Threading: stateless. */
final class ThrownFailures {
  private static final int CAUSES_MAX = 5;

  private ThrownFailures() {}

  static Ending of(Throwable thrown) {
    return new Ending.Failed(
        switch (thrown) {
          case AttemptException known -> known.failure();
          case InterruptedException unused ->
            Failure.error("the code was interrupted and stopped: " + describe(thrown));
          default -> Failure.error(describe(thrown));
        });
  }

  /** Whether it is fatal for the process, not only for the attempt. A stack overflow concerns only the attempt. */
  static boolean isFatal(Throwable thrown) {
    return thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError);
  }

  private static String describe(Throwable thrown) {
    var text = new StringBuilder(one(thrown));
    Throwable cause = cause(thrown);
    for (int i = 0; i < CAUSES_MAX && cause != null; i++) {
      text.append("; caused by ").append(one(cause));
      cause = cause(cause);
    }
    return text.toString();
  }

  /** User code, too, and may itself throw anything; an attempt whose failure could not be described would never end. */
  private static @Nullable Throwable cause(Throwable thrown) {
    try {
      return thrown.getCause();
    } catch (RuntimeException | Error e) {
      return null;
    }
  }

  /** The message may throw as well. */
  private static String one(Throwable thrown) {
    String name = thrown.getClass().getName();
    try {
      String message = thrown.getMessage();
      return message == null ? name + place(thrown) : name + ": " + message;
    } catch (RuntimeException | Error e) {
      return name + " (its message could not be read: " + e.getClass().getName() + ")";
    }
  }

  /** Without a message, the top stack frame is the only clue. */
  private static String place(Throwable thrown) {
    StackTraceElement[] frames = thrown.getStackTrace();
    return frames.length == 0 ? "" : " at " + frames[0];
  }
}
