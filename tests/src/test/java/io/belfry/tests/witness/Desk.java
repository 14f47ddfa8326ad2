package io.belfry.tests.witness;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Where a run gives its orders and asks its questions. */
interface Desk extends AutoCloseable {
  /**
   * Saves the jobs, with the calendars and queues that they need; returns once all are acknowledged. They make up for every missed fire.
   *
   * @param jobs what to save, by the time at which they are saved
   */
  List<Promise> save(Function<Instant, List<JobPlan>> jobs);

  /** Switched off and acknowledged. */
  List<Promise> retire(List<Promise> promises);

  /** The process that leads now, with its incarnation. */
  Optional<String> leader();

  /** Whether no task is left. */
  boolean isSettled();

  /** What Belfry tells of tasks. */
  Told told();

  /** How many terms there have been. */
  int terms();

  @Override
  void close();
}
