package io.belfry.store;

/**
 * A revision is one {@code long}, so that it can be kept by the million: the epoch of the data set in the upper 16 bits,
 * a counter within the epoch in the lower 47. Larger is later.
 *
 * <p>The epoch grows whenever an engine may have taken acknowledged steps back (a Redis failover, a restored backup), so
 * that a counter that is given out a second time is not taken for the first.
 */
public final class Revision {
  /** The revision of what is absent; smaller than any other. */
  public static final long NONE = 0;

  private static final int COUNTER_BITS = 47;
  public static final long COUNTER_MAX = (1L << COUNTER_BITS) - 1;
  public static final long EPOCH_MAX = (1L << 16) - 1;

  private Revision() {}

  public static long of(long epoch, long counter) {
    if (epoch < 0 || epoch > EPOCH_MAX || counter < 0 || counter > COUNTER_MAX) {
      throw new IllegalArgumentException(
          "A revision has an epoch of 0 to " + EPOCH_MAX + " and a counter of 0 to "
              + COUNTER_MAX + ", but was " + epoch + "-" + counter
              + ". This data set is worn out or damaged: move its"
              + " content into a new namespace.");
    }
    return epoch << COUNTER_BITS | counter;
  }

  public static long epoch(long revision) {
    return revision >>> COUNTER_BITS;
  }

  public static long counter(long revision) {
    return revision & COUNTER_MAX;
  }

  public static String show(long revision) {
    return epoch(revision) + "-" + counter(revision);
  }
}
