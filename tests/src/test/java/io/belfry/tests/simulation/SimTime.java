package io.belfry.tests.simulation;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.time.Instant;

/**
 * The clocks of one node: a wall clock that is off and may jump, and a stopwatch that started at some moment of its own.
 *
 * <p>Threading: confined to its world.
 */
final class SimTime implements Time {
  /** What the calendar says when a world begins. */
  static final Instant BEGINNING = Instant.parse("2027-01-01T00:00:00Z");

  private final World world;
  private final long stopwatchAtStart;
  private Duration skew;
  private boolean wasSet;

  SimTime(World world, Duration skew, long stopwatchAtStart) {
    this.world = world;
    this.skew = skew;
    this.stopwatchAtStart = stopwatchAtStart;
  }

  @Override
  public Instant wall() {
    return BEGINNING.plusNanos(world.now()).plus(skew);
  }

  @Override
  public long nanos() {
    return stopwatchAtStart + world.now();
  }

  /** The calendar moves, the stopwatch does not. */
  void step(Duration by) {
    skew = skew.plus(by);
    wasSet = true;
  }

  /** Somebody sets the clock right. */
  void setRight() {
    skew = Duration.ZERO;
    wasSet = true;
  }

  /** Whether anybody has ever set this clock: what was decided before went by another one. */
  boolean wasSet() {
    return wasSet;
  }

  Duration skew() {
    return skew;
  }
}
