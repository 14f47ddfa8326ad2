package io.belfry.core.record;

/**
 * Whether the namespace takes in submitted tasks, or keys, told by the leader when that changes.
 *
 * @param waiting tasks that waited when it was written, or keys that there were
 * @param limit how many may; {@link #HISTORY} where too many finished tasks wait to be folded
 */
public record Fullness(boolean full, long waiting, long limit) {
  /** No number of tasks: history is behind. */
  public static final int HISTORY = 0;

  public static final Fullness NONE = new Fullness(false, 0, 0);

  /** Whether there were more than the limit by a tenth. */
  public boolean isBeyond() {
    return full && waiting >= beyond(limit);
  }

  /** A tenth more than the limit, and at least one. */
  public static long beyond(long limit) {
    return limit + Math.max(1, limit / 10);
  }
}
