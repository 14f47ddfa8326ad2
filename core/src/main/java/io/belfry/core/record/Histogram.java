package io.belfry.core.record;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;

/**
 * A histogram of durations with exponential buckets: eight for each power of two, counted in microseconds.
 *
 * <pre>
 *   0 1 2 … 7 │ 8 9 … 15 │ 16 18 … 30 │ 32 36 … 60 │ …      exact below 16 µs, then each bucket an eighth of its power wide
 * </pre>
 *
 * <p>A quantile is the middle of its bucket, so its error is at most 1/16 (6.25 %). Histograms of any periods can be merged without loss.
 *
 * <p>Threading: confined to its owner.
 */
public final class Histogram {
  private static final int STEP_BITS = 3;
  private static final int STEPS = 1 << STEP_BITS;
  /** Enough for the longest duration that a long holds in microseconds. */
  static final int BUCKETS = (Long.SIZE - STEP_BITS) * STEPS;

  private long[] counts = new long[0];

  public void add(Duration duration) {
    long micros = duration.isNegative()
        ? 0
        : duration.toSeconds() > Long.MAX_VALUE / 2_000_000
            ? Long.MAX_VALUE
            : duration.toSeconds() * 1_000_000 + duration.toNanosPart() / 1000;
    add(bucket(micros), 1);
  }

  public void add(Histogram other) {
    if (other.counts.length > counts.length) {
      counts = Arrays.copyOf(counts, other.counts.length); // once, instead of with each bucket
    }
    for (int i = 0; i < other.counts.length; i++) {
      if (other.counts[i] != 0) {
        add(i, other.counts[i]);
      }
    }
  }

  void add(int bucket, long times) {
    if (bucket >= counts.length) {
      counts = Arrays.copyOf(counts, bucket + 1);
    }
    counts[bucket] += times;
  }

  /** The number of durations. */
  public long count() {
    return Arrays.stream(counts).sum();
  }

  /** The duration that this part of all (0 to 1) does not exceed; empty if there are none. */
  public Optional<Duration> quantile(double part) {
    long wanted = Math.max(1, (long) Math.ceil(part * count()));
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= wanted) {
        return Optional.of(Duration.of(middle(i), ChronoUnit.MICROS));
      }
    }
    return Optional.empty();
  }

  int buckets() {
    return counts.length;
  }

  long at(int bucket) {
    return counts[bucket];
  }

  private static int bucket(long micros) {
    if (micros < STEPS) {
      return (int) micros;
    }
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros);
    int shift = power - STEP_BITS;
    return (shift + 1) * STEPS + (int) (micros >>> shift) - STEPS;
  }

  private static long middle(int bucket) {
    if (bucket < STEPS) {
      return bucket;
    }
    int shift = bucket / STEPS - 1;
    long low = (long) (STEPS + bucket % STEPS) << shift;
    return low + ((1L << shift) - 1) / 2;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Histogram that && Arrays.equals(counts, that.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts);
  }

  @Override
  public String toString() {
    return count() + " durations, p50 " + quantile(0.5) + ", p99 " + quantile(0.99);
  }
}
