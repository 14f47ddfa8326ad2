package io.belfry.core.fire;

/**
 * Counts how far a timetable searches for instants that a calendar includes. Threading: as its owner.
 */
@FunctionalInterface
public interface LookLimit {
  /** For searches that are bounded anyway: one instant of one job. */
  LookLimit UNCOUNTED = count -> {};

  /**
   * Adds to the count.
   *
   * @throws RuntimeException if the search has become too long
   */
  void at(int count);
}
