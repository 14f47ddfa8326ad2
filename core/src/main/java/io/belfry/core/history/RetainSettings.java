package io.belfry.core.history;

import io.belfry.model.Check;
import java.time.Duration;

/**
 * The retention, and the limits of housekeeping.
 *
 * @param tasks how long finished tasks are kept unless their job says otherwise, and records of skipped fires and late reports
 * @param logs how long logs are kept after their last line, unless the task's job says otherwise
 * @param logBytes the largest size of all logs together, before compression
 * @param rollups how long statistics are kept, hourly at first and daily later
 * @param foldEvery how often the leader checks whether there are enough finished tasks to fold
 * @param foldAfter how long too few of them wait for more
 * @param foldRate the most tasks folded per second, so that folding does not delay dispatch
 * @param trimEvery how often the leader checks for expired data
 * @param historyBytes the largest size of all segments of finished tasks together
 * @param keysMax the limit of idempotency keys; a tenth higher for manual triggers
 */
public record RetainSettings(
    Duration tasks,
    Duration rollups,
    Duration logs,
    long logBytes,
    Duration foldEvery,
    Duration foldAfter,
    int foldRate,
    Duration trimEvery,
    long historyBytes,
    long keysMax) {

  /** How many definitions of a job are kept. */
  public static final int VERSIONS = 20;

  /** How long they are kept after the job was deleted. */
  public static final Duration VERSIONS_OF_DELETED = Duration.ofDays(30);

  /** How long rollups are kept by the hour; older ones are kept by the day. */
  public static final Duration HOURLY = Duration.ofDays(8);

  /** The default limit of idempotency keys. */
  public static final long KEYS_MAX = 10_000_000;

  private static final long KEYS_HIGHEST = 1_000_000_000;
  private static final long HISTORY_BYTES = 10L << 30;
  private static final long LOG_BYTES_MIN = 1L << 20;
  private static final long LOG_BYTES_MAX = 1L << 40;
  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofDays(3660);
  private static final Duration TICK_MIN = Duration.ofMillis(10);
  private static final Duration TICK_MAX = Duration.ofHours(1);

  public static final RetainSettings DEFAULT = new RetainSettings(
      Duration.ofDays(7),
      Duration.ofDays(90),
      Duration.ofDays(7),
      1L << 30,
      Duration.ofSeconds(2),
      Duration.ofMinutes(1),
      100_000,
      Duration.ofSeconds(10),
      HISTORY_BYTES,
      KEYS_MAX);

  public RetainSettings {
    Check.between(
        "retain.tasks",
        tasks,
        SHORTEST,
        LONGEST,
        "history must be readable for a while, but not grow forever");
    Check.between(
        "retain.rollups",
        rollups,
        SHORTEST,
        LONGEST,
        "statistics must be readable for a while, but not grow forever");
    Check.between(
        "retain.logs",
        logs,
        SHORTEST,
        LONGEST,
        "logs must be readable for a while, but not grow forever");
    Check.that(
        logBytes >= LOG_BYTES_MIN && logBytes <= LOG_BYTES_MAX,
        "retain.logBytes",
        logBytes,
        "must be from " + LOG_BYTES_MIN + " (1 MiB, what one task may log) to " + LOG_BYTES_MAX
            + " (1 TiB), because logs must not fill the store",
        "Leave it out for " + (1L << 30) + " (1 GiB).");
    Check.that(
        historyBytes >= LOG_BYTES_MIN && historyBytes <= LOG_BYTES_MAX,
        "retain.bytes",
        historyBytes,
        "must be from " + LOG_BYTES_MIN + " (1 MiB, one segment) to " + LOG_BYTES_MAX
            + " (1 TiB), because history must not fill the store",
        "Leave it out for " + HISTORY_BYTES + " (10 GiB).");
    Check.that(
        keysMax >= 1 && keysMax <= KEYS_HIGHEST,
        "idempotencyKeysMax",
        keysMax,
        "must be from 1 to " + KEYS_HIGHEST + ", because keys must not fill the store",
        "Leave it out for " + KEYS_MAX + ".");
    Check.between(
        "retain.foldEvery", foldEvery, TICK_MIN, TICK_MAX, "each check costs the store a read");
    Check.between(
        "retain.foldAfter",
        foldAfter,
        Duration.ZERO,
        TICK_MAX,
        "readers visit every task that is not folded");
    Check.between(
        "retain.trimEvery", trimEvery, TICK_MIN, TICK_MAX, "each check costs the store a read");
    Check.that(
        foldRate >= 1,
        "retain.foldRate",
        foldRate,
        "must be at least 1, because tasks that are never folded fill the store",
        "Leave it out for 100000.");
  }

  /** With the default retention of logs. */
  public RetainSettings(
      Duration tasks,
      Duration rollups,
      Duration foldEvery,
      Duration foldAfter,
      int foldRate,
      Duration trimEvery) {
    this(
        tasks,
        rollups,
        Duration.ofDays(7),
        1L << 30,
        foldEvery,
        foldAfter,
        foldRate,
        trimEvery,
        HISTORY_BYTES,
        KEYS_MAX);
  }

  /** A copy with another retention. */
  public RetainSettings keeping(Duration tasks, Duration rollups, Duration logs, long logBytes) {
    return new RetainSettings(
        tasks,
        rollups,
        logs,
        logBytes,
        foldEvery,
        foldAfter,
        foldRate,
        trimEvery,
        historyBytes,
        keysMax);
  }

  /** A copy with another limit for all finished tasks. */
  public RetainSettings withHistoryBytes(long bytes) {
    return new RetainSettings(
        tasks, rollups, logs, logBytes, foldEvery, foldAfter, foldRate, trimEvery, bytes, keysMax);
  }

  /** A copy with another limit for idempotency keys. */
  public RetainSettings withKeysMax(long keys) {
    return new RetainSettings(
        tasks,
        rollups,
        logs,
        logBytes,
        foldEvery,
        foldAfter,
        foldRate,
        trimEvery,
        historyBytes,
        keys);
  }
}
