package io.belfry.core.reign;

import java.time.Instant;

/**
 * What is late waits for its share, so that it does not push aside what is on time.
 *
 * <p>Threading: confined to the reign's loop.
 */
final class Release {
  private final ReignSettings settings;
  private int released;
  private Instant releasedIn = Instant.MIN;

  Release(ReignSettings settings) {
    this.settings = settings;
  }

  /** Whether what was due then may be fired now; what is late is counted. */
  boolean allows(Instant due, Instant now) {
    if (!due.isBefore(now.minus(settings.grace()))) {
      return true;
    }
    Instant second = Instant.ofEpochSecond(now.getEpochSecond());
    if (!second.equals(releasedIn)) {
      releasedIn = second;
      released = 0;
    }
    return ++released <= settings.releaseRate();
  }
}
