package io.belfry.tests.witness;

import java.util.List;
import java.util.Optional;

/** Where a run gives its orders and asks its questions. */
interface Desk extends AutoCloseable {
  /** Saved and acknowledged: jobs that fire every second, and make up for every one that was missed. */
  List<Promise> save(int jobs);

  /** Switched off and acknowledged. */
  List<Promise> retire(List<Promise> promises);

  /** The name of the process that leads now. */
  Optional<String> leader();

  /** Whether no task is left. */
  boolean isSettled();

  Told told();

  /** How many terms there have been. */
  int terms();

  @Override
  void close();
}
