package io.belfry.core.fire;

/**
 * Counts how far a timetable searches for instants that a calendar includes. Threading: as its owner.
 */
@FunctionalInterface
public interface Looks {
  /** For searches that are bounded anyway: one instant of one job. */
  Looks UNCOUNTED = count -> {};

  /**
   * Adds to the count.
   *
   * @throws RuntimeException if the search has become too long
   */
  void at(int count);
}
