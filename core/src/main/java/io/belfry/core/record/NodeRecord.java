package io.belfry.core.record;

import java.time.Instant;
import java.util.Set;

/**
 * A node that is there, under its lease.
 *
 * @param id name and incarnation
 * @param heartbeat its wall clock when it wrote this: compared by the others to find a clock that is off
 */
public record NodeRecord(String id, Set<Role> roles, Instant since, Instant heartbeat) {

  public enum Role {
    SCHEDULER,
    WORKER
  }
}
