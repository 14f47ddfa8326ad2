package io.belfry.core.record;

/**
 * Whether the namespace takes in submitted tasks, told by the leader when that changes.
 *
 * @param waiting tasks that waited when it was written
 * @param limit how many may
 */
public record Fullness(boolean full, long waiting, long limit) {
  public static final Fullness NONE = new Fullness(false, 0, 0);
}
