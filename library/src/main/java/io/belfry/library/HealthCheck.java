package io.belfry.library;

import io.belfry.core.loop.Loop;
import io.belfry.core.node.Presence;
import io.belfry.store.EngineHealth;
import java.time.Duration;

/**
 * Keeps what is known of the engine fresh: if no commit was answered within the last second, or writes fail, it writes the node's record,
 * which is a cheap commit of its own. So an outage is noticed on a node that has nothing else to write, and so is its end.
 *
 * <p>Threading: confined to the loop, but for {@link #sinceStep}.
 */
final class HealthCheck {
  private static final Duration EVERY = Duration.ofMillis(500);
  private static final Duration FRESH = Duration.ofSeconds(1);

  private final Loop loop;
  private final EngineHealth health;
  private final Presence presence;
  private volatile long steppedNanos;
  private boolean stopped;

  HealthCheck(Loop loop, EngineHealth health, Presence presence) {
    this.loop = loop;
    this.health = health;
    this.presence = presence;
    this.steppedNanos = loop.time().nanos();
  }

  void start() {
    if (stopped) {
      return;
    }
    steppedNanos = loop.time().nanos();
    var unused = loop.in(EVERY, this::start);
    health.check();
    if (health.outage().isPresent() || !health.committedWithin(FRESH)) {
      presence.probe();
    }
  }

  void stop() {
    stopped = true;
  }

  /** Since the loop last ran this check; from any thread. */
  Duration sinceStep() {
    return Duration.ofNanos(Math.max(0, loop.time().nanos() - steppedNanos));
  }
}
