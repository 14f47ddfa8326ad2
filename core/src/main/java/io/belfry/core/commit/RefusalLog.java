package io.belfry.core.commit;

import io.belfry.model.time.Time;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs that the store refuses what one part of a node writes: the first refusal, then once a minute with a count, and the end of it.
 *
 * <p>Threading: confined to its loop.
 */
final class RefusalLog {
  private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
  private static final Duration EVERY = Duration.ofMinutes(1);

  private final Time time;
  private final String part;
  private long refusals;
  private long sinceNanos;
  private long loggedNanos;

  RefusalLog(Time time, String part) {
    this.time = time;
    this.part = part;
  }

  void refused(Throwable reason) {
    long now = time.nanos();
    if (refusals++ == 0) {
      sinceNanos = now;
    } else if (now - loggedNanos < EVERY.toNanos()) {
      return;
    }
    loggedNanos = now;
    LOG.warn(
        "The store refuses what {} writes ({} refusals in {}). It is retried until the store accepts it. Reason: {}",
        part,
        refusals,
        lasting(now),
        reason.toString());
  }

  /** A write was accepted; costs nothing unless one was refused before. */
  void accepted() {
    if (refusals > 0) {
      LOG.info(
          "The store accepts what {} writes again, after {} refusals in {}.",
          part,
          refusals,
          lasting(time.nanos()));
      refusals = 0;
    }
  }

  private Duration lasting(long now) {
    return Duration.ofMillis((now - sinceNanos) / 1_000_000);
  }
}
