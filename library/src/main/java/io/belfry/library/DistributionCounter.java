package io.belfry.library;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts values into the buckets of a {@link Distribution}.
 *
 * <p>Threading: safe.
 */
final class DistributionCounter {
  /** From one millisecond to hours. */
  private static final double[] OF_TASKS = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200
  };
  /** From the latency of memory to that of an outage. */
  private static final double[] OF_COMMITS = {
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
  };

  private static final double[] OF_BATCHES = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
  private static final double NANOS = 1e9;
  /** Longer times are cut to this, so that a wrong clock cannot spoil the sum. */
  private static final Duration LONGEST = Duration.ofDays(366);

  private final double[] bounds;
  private final double unit;
  private final LongAdder[] counts;
  private final LongAdder sum = new LongAdder();

  private DistributionCounter(double[] bounds, double unit) {
    this.bounds = bounds;
    this.unit = unit;
    this.counts = new LongAdder[bounds.length + 1];
    Arrays.setAll(counts, unused -> new LongAdder());
  }

  static DistributionCounter ofTasks() {
    return new DistributionCounter(OF_TASKS, NANOS);
  }

  static DistributionCounter ofCommits() {
    return new DistributionCounter(OF_COMMITS, NANOS);
  }

  static DistributionCounter ofBatches() {
    return new DistributionCounter(OF_BATCHES, 1);
  }

  void add(Duration time) {
    Duration sane = time.isNegative() ? Duration.ZERO : time;
    add((sane.compareTo(LONGEST) > 0 ? LONGEST : sane).toNanos());
  }

  void add(long value) {
    int bucket = Arrays.binarySearch(bounds, value / unit);
    counts[bucket < 0 ? -bucket - 1 : bucket].increment();
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
