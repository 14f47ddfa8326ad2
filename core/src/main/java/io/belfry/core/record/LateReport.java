package io.belfry.core.record;

import io.belfry.model.Check;
import io.belfry.model.task.TaskId;
import java.time.Instant;

/**
 * A worker's report about an attempt that was no longer the task's current one. It changed nothing, and is kept for users: the code did
 * run, and may have had effects elsewhere.
 *
 * @param attempt counted from 1
 * @param at when it was rejected, by the worker's clock
 * @param message of the result or the failure, without its middle if it is long
 */
public record LateReport(
    TaskId task, int attempt, long token, String worker, Instant at, Said said, String message) {
  /** How many are kept per task: an attempt overwrites the report of the attempt this many before it. */
  public static final int KEPT = 5;

  private static final int MESSAGE_CHARS_MAX = 500;

  /** The reported event. */
  public enum Said {
    /** The code had started. It was interrupted then. */
    STARTED,
    SUCCEEDED,
    FAILED,
    HANDED_BACK
  }

  public LateReport {
    message = Check.clip(message, MESSAGE_CHARS_MAX);
  }

  /** Its place among the task's late reports. */
  public int place() {
    return Math.floorMod(attempt, KEPT);
  }
}
