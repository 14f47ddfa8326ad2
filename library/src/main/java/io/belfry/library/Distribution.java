package io.belfry.library;

import java.util.List;

/**
 * How often values of which size have occurred since this Belfry was opened. No number ever goes down.
 *
 * @param bounds upper ends of the buckets, themselves included, growing; seconds where these are times
 * @param counts of each bucket alone, and last of what lies above all bounds
 * @param sum of all values
 */
public record Distribution(List<Double> bounds, List<Long> counts, double sum) {
  public Distribution {
    bounds = List.copyOf(bounds);
    counts = List.copyOf(counts);
  }

  /** Of all values. */
  public long count() {
    return counts.stream().mapToLong(Long::longValue).sum();
  }
}
