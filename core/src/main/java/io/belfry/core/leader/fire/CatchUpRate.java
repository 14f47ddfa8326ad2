package io.belfry.core.leader.fire;

import io.belfry.core.leader.term.LeaderSettings;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was missed while no leader fired waits for its share, so that it does not push aside what is on time. What becomes late only because
 * very much is due at once is not missed, and does not wait here.
 *
 * <pre>
 *      missed            begun               now     free    place    place
 *   ────○──○──○────────────┤──────────────────┤───────┼────────┼────────┼────▶
 *                                                     └ a share every 1 / rate ┘
 * </pre>
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class CatchUpRate {
  private static final Logger LOG = LoggerFactory.getLogger(CatchUpRate.class);
  /** Unused shares are kept for so long. */
  private static final Duration SAVED = Duration.ofMillis(250);

  private final Duration grace;
  private final int rate;
  private final long nanosEach;
  private Instant begun = Instant.MIN;
  /** When the next share is free. */
  private Instant free = Instant.EPOCH;
  /** The place of the next one in line. */
  private Instant place = Instant.EPOCH;
  /** Whether what was missed is being made up for; and how many fires have been so far. */
  private boolean catchingUp;

  private long fired;

  public CatchUpRate(LeaderSettings settings) {
    this.grace = settings.grace();
    this.rate = settings.releaseRate();
    this.nanosEach = Duration.ofSeconds(1).toNanos() / rate;
  }

  /** Firing begins, or goes on after a pause. */
  void begin(Instant now) {
    begun = now;
  }

  /** Whether what was due then was missed. */
  public boolean isMissed(Instant due, Instant now) {
    return due.isBefore(begun) && due.isBefore(now.minus(grace));
  }

  /** Whether something that was missed may be made up for now. */
  public boolean isOpen(Instant now) {
    return !free.isAfter(now);
  }

  /** So many are being made up for. */
  public void take(int count, Instant now) {
    free = later(free, now.minus(SAVED)).plusNanos(count * nanosEach);
  }

  /** So many missed fires are made up for by one commit. */
  void fired(int missed) {
    fired += missed;
  }

  /**
   * A turn of firing is over.
   *
   * @param missed whether there was anything in it that had been missed
   */
  void turned(boolean missed, Instant now) {
    if (missed && !catchingUp) {
      catchingUp = true;
      fired = 0;
      LOG.info(
          "The leader catches up with fires that were due before {}, as each job's rule for missed fires says, at most {} a second.",
          begun,
          rate);
    } else if (catchingUp && !missed && isOpen(now) && !place.isAfter(now)) {
      catchingUp = false;
      LOG.info("The leader has caught up: {} missed fires were made up for.", fired);
    }
  }

  /** When to ask again: behind all that wait already. */
  Instant place(Instant now) {
    Instant mine = later(later(place, free), now);
    place = mine.plusNanos(nanosEach);
    return mine.plusNanos(999_999); // timers count in milliseconds, and must not be early
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }
}
