package io.belfry.library;

import java.util.List;

/**
 * A histogram of values since this {@link Belfry} was opened. Its numbers never decrease.
 *
 * @param bounds inclusive upper bounds of the buckets in ascending order; in seconds for times
 * @param counts count of each bucket, not cumulative; the last is the count above all bounds
 * @param sum sum of all values
 */
public record Distribution(List<Double> bounds, List<Long> counts, double sum) {
  public Distribution {
    bounds = List.copyOf(bounds);
    counts = List.copyOf(counts);
  }

  /** The number of values. */
  public long count() {
    return counts.stream().mapToLong(Long::longValue).sum();
  }
}
