package io.belfry.testkit;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.time.Instant;

/**
 * A clock that moves only when the test moves it. Its wall time can be changed independently of its monotonic time.
 *
 * <p>Threading: safe, so that a test may move what a store's thread reads.
 */
public final class ManualTime implements Time {
  private Instant wall;
  private long nanos;

  public ManualTime(Instant start) {
    this.wall = start;
  }

  public synchronized void advance(Duration by) {
    wall = wall.plus(by);
    nanos += by.toNanos();
  }

  /** A clock step (NTP): the wall time changes, the monotonic time does not. */
  public synchronized void stepWall(Duration by) {
    wall = wall.plus(by);
  }

  @Override
  public synchronized Instant wall() {
    return wall;
  }

  @Override
  public synchronized long nanos() {
    return nanos;
  }
}
