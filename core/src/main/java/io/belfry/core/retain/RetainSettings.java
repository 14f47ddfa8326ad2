package io.belfry.core.retain;

import io.belfry.model.Check;
import java.time.Duration;

/**
 * How long things are kept, and how much work that may be.
 *
 * @param tasks how long finished tasks are kept whose job says nothing else, and records of skipped fires
 * @param rollups how long counts and times by the hour are kept
 * @param foldEvery how often the leader looks whether there are enough finished tasks to fold
 * @param foldAfter how long too few of them wait for more
 * @param foldRate tasks that are folded in a second at most, so that folding does not delay dispatch
 * @param trimEvery how often the leader looks for what may be forgotten
 */
public record RetainSettings(
    Duration tasks,
    Duration rollups,
    Duration foldEvery,
    Duration foldAfter,
    int foldRate,
    Duration trimEvery) {

  /** So many definitions of a job are kept: the last ones. */
  public static final int VERSIONS = 20;

  /** So long they are kept after the job was deleted. */
  public static final Duration VERSIONS_OF_DELETED = Duration.ofDays(30);

  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofDays(3660);
  private static final Duration TICK_MIN = Duration.ofMillis(10);
  private static final Duration TICK_MAX = Duration.ofHours(1);

  public static final RetainSettings DEFAULT = new RetainSettings(
      Duration.ofDays(7),
      Duration.ofDays(90),
      Duration.ofSeconds(2),
      Duration.ofMinutes(1),
      100_000,
      Duration.ofSeconds(10));

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
}
