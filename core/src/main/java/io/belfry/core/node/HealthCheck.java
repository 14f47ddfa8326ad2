package io.belfry.core.node;

import io.belfry.core.loop.Loop;
import io.belfry.store.EngineHealth;
import java.time.Duration;

/**
 * Keeps the health of an engine up to date: if no commit was answered within the last 750 ms, or writes fail, it sends a small commit. So a
 * process without other writes notices an outage, and its end.
 *
 * <p>Threading: confined to the loop, except {@link #sinceStep}.
 */
public final class HealthCheck {
  /**
   * An unresponsive engine is detected when a commit has had no answer for three seconds. With the time until a commit is sent that makes
   * four seconds: a node reports within five that it is not ready.
   */
  private static final Duration EVERY = Duration.ofMillis(250);

  private static final Duration FRESH = Duration.ofMillis(750);

  private final Loop loop;
  private final EngineHealth health;
  private final Runnable probe;
  private volatile long steppedNanos;
  private boolean stopped;

  /**
   * A check that has not started.
   *
   * @param probe sends a commit, unless the previous one has no answer yet; called by the loop
   */
  public HealthCheck(Loop loop, EngineHealth health, Runnable probe) {
    this.loop = loop;
    this.health = health;
    this.probe = probe;
    this.steppedNanos = loop.time().nanos();
  }

  public void start() {
    if (stopped) {
      return;
    }
    steppedNanos = loop.time().nanos();
    var unused = loop.after(EVERY, this::start);
    health.check();
    if (health.outage().isPresent() || !health.committedWithin(FRESH)) {
      probe.run();
    }
  }

  public void stop() {
    stopped = true;
  }

  /** The time since the loop last ran this check; from any thread. */
  public Duration sinceStep() {
    return Duration.ofNanos(Math.max(0, loop.time().nanos() - steppedNanos));
  }
}
