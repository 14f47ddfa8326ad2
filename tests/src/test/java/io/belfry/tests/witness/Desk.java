package io.belfry.tests.witness;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where a run gives its orders and asks its questions. */
interface Desk extends AutoCloseable {
  /** Saved and acknowledged: jobs by their names, which make up for every fire that was missed. */
  List<Promise> save(Map<String, Rhythm> jobs);

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
