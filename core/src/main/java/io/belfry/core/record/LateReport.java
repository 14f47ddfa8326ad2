package io.belfry.core.record;

import io.belfry.model.Check;
import io.belfry.model.task.TaskId;
import java.time.Instant;

/**
 * What a worker reported of an attempt that was no longer the task's current one. It changed nothing, and is kept for people: the code did
 * run, and may have done something elsewhere.
 *
 * @param attempt counted from 1
 * @param at when it was rejected, by the worker's clock
 * @param message of the result or the failure, without its middle if it is long
 */
public record LateReport(
    TaskId task, int attempt, long token, String worker, Instant at, Said said, String message) {
  /** So many are kept of a task: an attempt takes the place of the one that many attempts before it. */
  public static final int KEPT = 5;

  private static final int MESSAGE_CHARS_MAX = 500;

  /** What was reported. */
  public enum Said {
    /** That the code had begun. It was interrupted then. */
    STARTED,
    SUCCEEDED,
    FAILED,
    HANDED_BACK
  }

  public LateReport {
    message = Check.clip(message, MESSAGE_CHARS_MAX);
  }

  /** Where it lies beside its task's others. */
  public int place() {
    return Math.floorMod(attempt, KEPT);
  }
}
