package io.belfry.simulation;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The clocks of one node: a wall clock that is off and may jump, and a stopwatch that started at some moment of its own and goes a little
 * too fast or too slow.
 *
 * <p>Threading: confined to its world.
 */
final class SimTime implements Time {
  /** What the calendar says when a world begins. */
  static final Instant BEGINNING = Instant.parse("2027-01-01T00:00:00Z");
  /** A cheap quartz in a hot room does better than that. */
  static final int DRIFT_PER_MILLE_MAX = 20;

  /**
   * Somebody set the clock.
   *
   * @param at world time
   */
  record Setting(long at, Duration before, Duration after) {}

  private final World world;
  private final long stopwatchAtStart;
  private final int driftPerMille;
  private final List<Setting> settings = new ArrayList<>();
  private Duration skew;
  private LongSupplier ahead = () -> 0;

  SimTime(World world, Duration skew, long stopwatchAtStart) {
    this(world, skew, stopwatchAtStart, 0);
  }

  /**
   * @param driftPerMille by how much the stopwatch goes too fast
   */
  SimTime(World world, Duration skew, long stopwatchAtStart, int driftPerMille) {
    this.world = world;
    this.skew = skew;
    this.stopwatchAtStart = stopwatchAtStart;
    this.driftPerMille = driftPerMille;
  }

  @Override
  public Instant wall() {
    return trueTime(world).plus(skew).plusNanos(ahead.getAsLong());
  }

  @Override
  public long nanos() {
    long now = world.now() + ahead.getAsLong();
    return stopwatchAtStart + now + now / 1000 * driftPerMille;
  }

  /** A process whose step takes time has clocks that go on during the step. */
  void isAheadBy(LongSupplier ofTheWorld) {
    ahead = ofTheWorld;
  }

  /** What a right calendar says. */
  static Instant trueTime(World world) {
    return BEGINNING.plusNanos(world.now());
  }

  /** How long something takes at least that takes so long by somebody's stopwatch. */
  static Duration atLeast(Duration byStopwatch) {
    return byStopwatch.multipliedBy(1000).dividedBy(1000 + DRIFT_PER_MILLE_MAX);
  }

  /** How long it really takes until the stopwatch has moved so far. */
  long worldNanos(long ofStopwatch) {
    return ofStopwatch - ofStopwatch / (1000 + driftPerMille) * driftPerMille;
  }

  /** The calendar moves, the stopwatch does not. */
  void step(Duration by) {
    set(skew.plus(by));
  }

  /** Somebody sets the clock right. */
  void setRight() {
    set(Duration.ZERO);
  }

  private void set(Duration to) {
    settings.add(new Setting(world.now(), skew, to));
    skew = to;
  }

  /** The latest that this calendar has said since that moment of the world, however it was set meanwhile. */
  Instant latest(long since) {
    Instant latest = wall();
    for (Setting setting : settings) {
      Instant said = BEGINNING.plusNanos(setting.at).plus(setting.before);
      if (setting.at >= since && said.isAfter(latest)) {
        latest = said;
      }
    }
    return latest;
  }

  /** The first time since then that it was set by more than so much. */
  Optional<Setting> jump(long since, Duration by) {
    return settings.stream()
        .filter(setting ->
            setting.at >= since && setting.after.minus(setting.before).abs().compareTo(by) > 0)
        .findFirst();
  }

  Duration skew() {
    return skew;
  }
}
