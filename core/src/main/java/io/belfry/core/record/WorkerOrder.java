package io.belfry.core.record;

import java.time.Instant;
import java.util.Optional;

/**
 * The operators' order for one worker: the newest order replaces all earlier ones.
 *
 * @param drained nothing new is assigned to it until it is resumed
 * @param capacity how many attempts it may hold; empty: as configured, or as it says itself
 * @param by who gave the last order
 */
public record WorkerOrder(boolean drained, Optional<Integer> capacity, String by, Instant at) {
  /** No order was given. */
  public static final WorkerOrder NONE =
      new WorkerOrder(false, Optional.empty(), "", Instant.EPOCH);
}
