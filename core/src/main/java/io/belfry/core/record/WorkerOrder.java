package io.belfry.core.record;

import java.time.Instant;
import java.util.Optional;

/**
 * What people have ordered of one worker, all of it: the newest order says everything that counts.
 *
 * @param drained nothing new is given to it until that is taken back
 * @param capacity how many attempts it holds at most; empty: as it was configured, or says itself
 * @param by who ordered the last of it
 */
public record WorkerOrder(boolean drained, Optional<Integer> capacity, String by, Instant at) {
  /** Nobody has ordered anything. */
  public static final WorkerOrder NONE =
      new WorkerOrder(false, Optional.empty(), "", Instant.EPOCH);
}
