package io.belfry.tests.witness;

import java.time.Duration;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * How long tasks of a run took at most from being given out to their START, by what the ledger shows of jobs without any limit: from the
 * due instant to the START of their fires in the same seconds. So a quiet machine is held to a tight bound, and a busy one is not accused.
 *
 * <p>Threading: confined to one check.
 */
final class Deliveries {
  /** However slow the fires around were. */
  static final Duration LONGEST = Duration.ofSeconds(3);
  /** What one task may take longer than twice the slowest fire around it. */
  private static final Duration SLACK = Duration.ofMillis(500);

  /** The slowest of each second in which fires began. */
  private final NavigableMap<Long, Duration> slowest = new TreeMap<>();

  /** A fire of a job without any limit. */
  void note(Instant due, Instant start) {
    slowest.merge(
        start.getEpochSecond(),
        Duration.between(due, start),
        (one, other) -> one.compareTo(other) > 0 ? one : other);
  }

  /** What a START from one instant to the other took at most since its task was given out. */
  Duration atMost(Instant from, Instant to) {
    return slowest
        .subMap(from.minus(LONGEST).getEpochSecond(), true, to.getEpochSecond(), true)
        .values()
        .stream()
        .max(Duration::compareTo)
        .map(slow -> slow.multipliedBy(2).plus(SLACK))
        .filter(bound -> bound.compareTo(LONGEST) < 0)
        .orElse(LONGEST);
  }
}
