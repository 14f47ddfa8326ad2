package io.belfry.core.commit;

import io.belfry.store.Limits;
import java.util.List;

/**
 * How much goes into one commit, in one place for all who write many records at once. Each stays below what every engine accepts ({@link
 * Limits}), with room for the fencing token and for the records that belong to the batch itself. A single item may be larger than the
 * bytes allow: it then travels alone.
 *
 * @param items tasks, fires or events; each takes about one guard and one write
 * @param bytes of all items, encoded
 */
public record CommitLimits(int items, int bytes) {
  /** Tasks given to one worker. The bytes count each task twice: it is stored, and sent to the inbox. */
  public static final CommitLimits ASSIGN = new CommitLimits(100, 400 << 10);

  /** Tasks sent to a worker again. */
  public static final CommitLimits REDELIVER = new CommitLimits(100, 400 << 10);

  /** Tasks taken from dead workers; guards of the workers come on top. */
  public static final CommitLimits RESCUE = new CommitLimits(50, 400 << 10);

  /** Tasks of one job that catches up. */
  public static final CommitLimits FIRE = new CommitLimits(50, 400 << 10);

  /** Tasks of jobs that run after others. Each takes three guards and two writes, beside the history batch. */
  public static final CommitLimits AFTER_JOBS = new CommitLimits(32, 200 << 10);

  /** Submitted tasks, each of which may bring an idempotency key. */
  public static final CommitLimits SUBMIT = new CommitLimits(50, 400 << 10);

  /** Reports of a worker. */
  public static final CommitLimits REPORT = new CommitLimits(100, 400 << 10);

  /** Tasks that a worker claims from a queue; the report to the leader may take as much again. */
  public static final CommitLimits CLAIM = new CommitLimits(50, 600 << 10);

  /** Events, which are one record together. */
  public static final CommitLimits EVENTS = new CommitLimits(500, 256 << 10);

  /** All of them whose items are records of their own. */
  static final List<CommitLimits> RECORDS =
      List.of(ASSIGN, REDELIVER, RESCUE, FIRE, AFTER_JOBS, SUBMIT, REPORT, CLAIM);

  /** A task that takes more may not fit into a commit twice: its worker is told of it by the next commit. */
  public static final int TASK_BYTES_MAX = 600 << 10;

  /** A history batch beyond this loses payloads and results before it is written again, as it does when it is folded. */
  public static final int ENDED_BATCH_BYTES_MAX = 900 << 10;

  /** What a history batch and the tasks that are started after it take together, with room for keys and cursors. */
  public static final int ENDED_BATCH_AND_TASKS_BYTES_MAX = Limits.COMMIT_BYTES_MAX - (64 << 10);

  /** Whether a batch of so much may be committed at once. */
  public boolean allows(int count, long size) {
    return count <= items && size <= bytes;
  }
}
