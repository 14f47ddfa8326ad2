package io.belfry.core.record;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A running node, under its lease; rewritten by every heartbeat.
 *
 * @param id name and incarnation
 * @param address where it runs, for users
 * @param version of Belfry
 * @param since when it started, by its wall clock
 * @param heartbeat its wall clock when it wrote this: other nodes compare it to find a wrong clock
 * @param term in which it leads, to its knowledge
 * @param listens the events it subscribes to while others lead
 */
public record NodeRecord(
    String id,
    Set<Role> roles,
    String address,
    String version,
    Instant since,
    Instant heartbeat,
    Optional<Long> term,
    Set<EventKind> listens) {

  public enum Role {
    SCHEDULER,
    WORKER
  }

  public boolean leads() {
    return term.isPresent();
  }

  public boolean schedules() {
    return roles.contains(Role.SCHEDULER);
  }
}
