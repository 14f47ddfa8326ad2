package io.belfry.library;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts values by their size.
 *
 * <p>Threading: safe.
 */
final class Tally {
  /** From a millisecond to hours. */
  private static final double[] OF_TASKS = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200
  };
  /** From what memory takes to what nobody should wait for. */
  private static final double[] OF_COMMITS = {
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
  };

  private static final double[] OF_LOTS = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
  private static final double NANOS = 1e9;
  /** What claims to be longer must not spoil the sum. */
  private static final Duration LONGEST = Duration.ofDays(366);

  private final double[] bounds;
  private final double unit;
  private final LongAdder[] counts;
  private final LongAdder sum = new LongAdder();

  private Tally(double[] bounds, double unit) {
    this.bounds = bounds;
    this.unit = unit;
    this.counts = new LongAdder[bounds.length + 1];
    Arrays.setAll(counts, unused -> new LongAdder());
  }

  static Tally ofTasks() {
    return new Tally(OF_TASKS, NANOS);
  }

  static Tally ofCommits() {
    return new Tally(OF_COMMITS, NANOS);
  }

  static Tally ofLots() {
    return new Tally(OF_LOTS, 1);
  }

  void add(Duration time) {
    Duration sane = time.isNegative() ? Duration.ZERO : time;
    add((sane.compareTo(LONGEST) > 0 ? LONGEST : sane).toNanos());
  }

  void add(long value) {
    int place = Arrays.binarySearch(bounds, value / unit);
    counts[place < 0 ? -place - 1 : place].increment();
    sum.add(value);
  }

  Distribution now() {
    List<Double> ends = Arrays.stream(bounds).boxed().toList();
    List<Long> each = new ArrayList<>();
    for (LongAdder count : counts) {
      each.add(count.sum());
    }
    return new Distribution(ends, each, sum.sum() / unit);
  }
}
