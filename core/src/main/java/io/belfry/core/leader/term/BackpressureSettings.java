package io.belfry.core.leader.term;

import io.belfry.core.submit.PayloadPath;
import io.belfry.model.Check;
import java.time.Duration;

/**
 * How much a leader takes on.
 *
 * @param payloads reads what keys of limits are filled in from
 * @param waitingMax tasks that may wait in the namespace; submitting more is refused, and fires a tenth beyond it are skipped
 * @param bodyBytes what the bodies of waiting tasks may take in the leader's memory; beyond it they are read again when their turn comes.
 *     What has to be kept of them all the same may take as much again; beyond that they count as too many
 * @param unmatchedAfter how long tasks wait that no worker may take before that is reported
 */
public record BackpressureSettings(
    PayloadPath payloads, int waitingMax, long bodyBytes, Duration unmatchedAfter) {
  public static final int WAITING_MAX = 1_000_000;
  public static final Duration UNMATCHED_AFTER = Duration.ofMinutes(10);
  public static final BackpressureSettings DEFAULT =
      new BackpressureSettings(PayloadPath.NONE, WAITING_MAX, 64L << 20);

  private static final int WAITING_HIGHEST = 100_000_000;

  /** With the usual patience. */
  public BackpressureSettings(PayloadPath payloads, int waitingMax, long bodyBytes) {
    this(payloads, waitingMax, bodyBytes, UNMATCHED_AFTER);
  }

  /** Fires have some room of their own, so that submitted tasks cannot crowd them out. */
  public int firesMax() {
    return waitingMax + waitingMax / 10;
  }

  public BackpressureSettings {
    Check.between(
        "pendingMax", waitingMax, 1, WAITING_HIGHEST, "the leader keeps each of them in memory");
    Check.between(
        "unmatchedAfter",
        unmatchedAfter,
        Duration.ZERO,
        Duration.ofDays(366),
        "a worker may be about to start, and no task is expected to wait longer");
    Check.that(
        bodyBytes >= 0,
        "bodyBytes",
        bodyBytes,
        "must not be negative, because it is an amount of memory",
        "Leave it out for 64 MiB.");
  }
}
