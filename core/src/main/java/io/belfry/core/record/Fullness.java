package io.belfry.core.record;

/**
 * Whether the namespace takes in submitted tasks, told by the leader when that changes.
 *
 * @param waiting tasks that waited when it was written
 * @param limit how many may; {@link #HISTORY} where too many finished tasks wait to be folded
 */
public record Fullness(boolean full, long waiting, long limit) {
  /** No number of tasks: history is behind. */
  public static final int HISTORY = 0;

  public static final Fullness NONE = new Fullness(false, 0, 0);
}
