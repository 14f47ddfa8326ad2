package io.belfry.core.node;

import io.belfry.core.loop.Loop;
import io.belfry.store.EngineHealth;
import java.time.Duration;

/**
 * Keeps what is known of an engine fresh: if no commit was answered within the last 750 ms, or writes fail, it has a small commit sent. So an
 * outage is noticed by a process that has nothing else to write, and so is its end.
 *
 * <p>Threading: confined to the loop, but for {@link #sinceStep}.
 */
public final class HealthCheck {
  /**
   * An engine that does not answer is noticed when a commit has had no answer for three seconds. With what passes before one is sent that is
   * four seconds: a node says within five that it is not ready.
   */
  private static final Duration EVERY = Duration.ofMillis(250);

  private static final Duration FRESH = Duration.ofMillis(750);

  private final Loop loop;
  private final EngineHealth health;
  private final Runnable probe;
  private volatile long steppedNanos;
  private boolean stopped;

  /**
   * A check that has not begun.
   *
   * @param probe sends a commit, unless the one before has no answer yet; called by the loop
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

  /** Since the loop last ran this check; from any thread. */
  public Duration sinceStep() {
    return Duration.ofNanos(Math.max(0, loop.time().nanos() - steppedNanos));
  }
}
