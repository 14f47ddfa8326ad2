package io.belfry.core.retain;

import io.belfry.model.Check;
import java.time.Duration;

/**
 * How long things are kept, and how much work that may be.
 *
 * @param tasks how long finished tasks are kept whose job says nothing else, and records of skipped fires and late reports
 * @param logs how long logs are kept after their last line, of tasks whose job says nothing else
 * @param logBytes what all logs together may weigh, before they are compressed
 * @param rollups how long counts and times are kept, by the hour at first and by the day later
 * @param foldEvery how often the leader looks whether there are enough finished tasks to fold
 * @param foldAfter how long too few of them wait for more
 * @param foldRate tasks that are folded in a second at most, so that folding does not delay dispatch
 * @param trimEvery how often the leader looks for what may be forgotten
 * @param historyBytes what all packs of finished tasks together may weigh
 * @param keysMax idempotency keys that there may be; triggers by hand have a tenth more
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

  /** So many definitions of a job are kept: the last ones. */
  public static final int VERSIONS = 20;

  /** So long they are kept after the job was deleted. */
  public static final Duration VERSIONS_OF_DELETED = Duration.ofDays(30);

  /** So long rollups are kept by the hour; older ones are kept by the day. */
  public static final Duration HOURLY = Duration.ofDays(8);

  /** So many idempotency keys there may be unless something else is said. */
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
        "retain.tasks", tasks, SHORTEST, LONGEST, "history is kept to be read, and is bounded");
    Check.between(
        "retain.rollups",
        rollups,
        SHORTEST,
        LONGEST,
        "figures are kept to be read, and are bounded");
    Check.between(
        "retain.logs", logs, SHORTEST, LONGEST, "logs are kept to be read, and are bounded");
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
        "must be from " + LOG_BYTES_MIN + " (1 MiB, one pack) to " + LOG_BYTES_MAX
            + " (1 TiB), because history must not fill the store",
        "Leave it out for " + HISTORY_BYTES + " (10 GiB).");
    Check.that(
        keysMax >= 1 && keysMax <= KEYS_HIGHEST,
        "idempotencyKeysMax",
        keysMax,
        "must be from 1 to " + KEYS_HIGHEST + ", because keys must not fill the store",
        "Leave it out for " + KEYS_MAX + ".");
    Check.between(
        "retain.foldEvery", foldEvery, TICK_MIN, TICK_MAX, "each look costs the store a read");
    Check.between(
        "retain.foldAfter",
        foldAfter,
        Duration.ZERO,
        TICK_MAX,
        "readers look at every task that is not folded");
    Check.between(
        "retain.trimEvery", trimEvery, TICK_MIN, TICK_MAX, "each look costs the store a read");
    Check.that(
        foldRate >= 1,
        "retain.foldRate",
        foldRate,
        "must be at least 1, because tasks that are never folded fill the store",
        "Leave it out for 100000.");
  }

  /** The same, with logs as usual. */
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

  /** The same, but kept for other times. */
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

  /** The same, but with another bound for all finished tasks. */
  public RetainSettings withHistoryBytes(long bytes) {
    return new RetainSettings(
        tasks, rollups, logs, logBytes, foldEvery, foldAfter, foldRate, trimEvery, bytes, keysMax);
  }

  /** The same, but with another bound for idempotency keys. */
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
