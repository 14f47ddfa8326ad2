package io.belfry.server.connection;

import io.belfry.server.connection.Client.Phase;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Connections that wait for their client, longest wait first. They may be evicted. Connections with a running request may not be evicted and are not
 * in this queue.
 *
 * <p>Threading: confined to the lock of {@link ConnectionSlots}.
 */
final class EvictionQueue {
  /** A client that has not sent its request by then counts as slow. */
  static final Duration SLOW = Duration.ofSeconds(1);

  /** By the start of the wait, not by insertion: waits for the same body are added up. */
  private static final Comparator<Client> OLDEST_FIRST = ((Comparator<Client>)
          (one, other) -> Long.compare(one.since() - other.since(), 0))
      .thenComparingLong(Client::number);

  private final Map<Phase, NavigableSet<Client>> byPhase = new EnumMap<>(Phase.class);

  void add(Client client) {
    of(client.phase()).add(client);
  }

  void remove(Client client) {
    of(client.phase()).remove(client);
  }

  int count(Phase phase) {
    return of(phase).size();
  }

  private NavigableSet<Client> of(Phase phase) {
    return byPhase.computeIfAbsent(phase, unused -> new TreeSet<>(OLDEST_FIRST));
  }

  /**
   * The connection to evict, in this order: no complete head for a second, rest of a refused body missing for a second, idle between two requests,
   * rest of a body missing for a second, response not read for as long.
   */
  Optional<Client> slowest(long now) {
    return slow(Phase.HEAD, now)
        .or(() -> slow(Phase.DISCARD, now))
        .or(() -> first(Phase.IDLE))
        .or(() -> slow(Phase.BODY, now))
        .or(() -> first(Phase.ANSWER));
  }

  /** The connection that has been in this phase the longest. */
  Optional<Client> first(Phase phase) {
    NavigableSet<Client> all = of(phase);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.first());
  }

  private Optional<Client> slow(Phase phase, long now) {
    return first(phase).filter(client -> now - client.since() > SLOW.toNanos());
  }
}
