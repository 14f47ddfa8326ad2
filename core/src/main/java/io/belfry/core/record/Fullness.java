package io.belfry.core.record;

/**
 * Whether the namespace accepts submitted tasks, or keys; written by the leader when that changes.
 *
 * @param waiting tasks that waited when it was written, or the number of keys
 * @param limit how many are allowed; {@link #HISTORY} if too many finished tasks wait to be folded
 */
public record Fullness(boolean full, long waiting, long limit) {
  /** Not a number of tasks: history is behind. */
  public static final int HISTORY = 0;

  public static final Fullness NONE = new Fullness(false, 0, 0);

  /** Whether the limit was exceeded by a tenth. */
  public boolean isBeyond() {
    return full && waiting >= beyond(limit);
  }

  /** A tenth more than the limit, and at least one. */
  public static long beyond(long limit) {
    return limit + Math.max(1, limit / 10);
  }
}
