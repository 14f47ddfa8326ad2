package io.belfry.core.fire;

/**
 * Counts how far a timetable looks for instants that a calendar lets through. Threading: as of its owner.
 */
@FunctionalInterface
public interface Looks {
  /** For what is bounded by itself: one instant of one job. */
  Looks UNCOUNTED = count -> {};

  /**
   * So much more is looked at.
   *
   * @throws RuntimeException if that is too much
   */
  void at(int count);
}
