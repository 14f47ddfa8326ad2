package io.belfry.core.history;

/**
 * A histogram of sizes by age with exponential buckets: sixteen for each power of two. So it takes no more memory for
 * millions of items than for one, and tells the age of the oldest to within a sixteenth.
 *
 * <p>Threading: confined to its owner.
 */
final class AgeHistogram {
  private static final int STEP_BITS = 4;
  private static final int STEPS = 1 << STEP_BITS;

  private final long[] weights = new long[(Long.SIZE - STEP_BITS) * STEPS];
  private long total;

  /**
   * What must be deleted to keep the rest within a limit, oldest first.
   *
   * @param all from this age on, delete everything
   * @param some from this age on, delete up to {@code weight}: the order within this bucket is unknown
   * @param weight how much of those to delete
   */
  record Cut(long all, long some, long weight) {
    static final Cut NONE = new Cut(Long.MAX_VALUE, Long.MAX_VALUE, 0);

    boolean isNothing() {
      return weight == 0;
    }
  }

  void add(long age, long weight) {
    weights[bucket(Math.max(0, age))] += weight;
    total += weight;
  }

  long total() {
    return total;
  }

  Cut cut(long most) {
    long sum = 0;
    for (int i = 0; i < weights.length; i++) {
      sum += weights[i];
      if (sum > most) {
        return new Cut(first(i + 1), first(i), sum - most);
      }
    }
    return Cut.NONE;
  }

  private static int bucket(long age) {
    int shift = Math.max(0, Long.SIZE - 1 - Long.numberOfLeadingZeros(age) - STEP_BITS);
    return shift * STEPS + (int) (age >>> shift);
  }

  /** The lowest age in the bucket. */
  private static long first(int bucket) {
    int shift = Math.max(0, bucket / STEPS - 1);
    return (long) (bucket - shift * STEPS) << shift;
  }
}
