package io.belfry.tests.witness;

import java.util.List;
import java.util.Optional;

/** Where a run gives its orders and asks its questions. */
interface Desk extends AutoCloseable {
  /** Saves the jobs, with the calendars and queues that they need; returns once all are acknowledged. They make up for every missed fire. */
  List<Promise> save(List<JobPlan> jobs);

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
