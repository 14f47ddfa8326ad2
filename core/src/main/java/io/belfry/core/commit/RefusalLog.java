package io.belfry.core.commit;

import io.belfry.model.time.Time;
import io.belfry.store.StoreException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs that the store does not take what one part of a node writes, at most once a minute, and the end of it. An answer that got lost is
 * tried again at once and is not worth a line, unless it goes on.
 *
 * <p>Threading: confined to its loop.
 */
final class RefusalLog {
  private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
  private static final Duration EVERY = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Time time;
  private final String part;
  private long failures;
  private long sinceNanos;
  private long loggedNanos;
  private boolean logged;

  RefusalLog(Time time, String part) {
    this.time = time;
    this.part = part;
    this.loggedNanos = time.nanos() - EVERY.toNanos();
  }

  void failed(StoreException reason) {
    long now = time.nanos();
    if (failures++ == 0) {
      sinceNanos = now;
    }
    boolean worthIt = Settler.isRefusal(reason) || now - sinceNanos >= PATIENCE.toNanos();
    if (!worthIt || now - loggedNanos < EVERY.toNanos()) {
      return;
    }
    loggedNanos = now;
    logged = true;
    LOG.warn(
        "The store does not take what {} writes ({} failures in {}). It is tried again until the store does. Reason: {}",
        part,
        failures,
        lasting(now),
        reason.toString());
  }

  /** A write was answered; costs nothing unless one failed before. */
  void answered() {
    if (failures > 0) {
      if (logged) {
        LOG.info(
            "The store takes what {} writes again, after {} failures in {}.",
            part,
            failures,
            lasting(time.nanos()));
      }
      failures = 0;
      logged = false;
    }
  }

  private Duration lasting(long now) {
    return Duration.ofMillis((now - sinceNanos) / 1_000_000);
  }
}
