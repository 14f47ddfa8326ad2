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
 * Connections that wait for their client, the one that has waited for longest first. They may be evicted; those that the server works for
 * may not, and are not here.
 *
 * <p>Threading: confined to the lock of {@link ConnectionSlots}.
 */
final class EvictionQueue {
  /** A client that is not slow has sent its request by then. */
  static final Duration SLOW = Duration.ofSeconds(1);

  /** Not by when they came: a wait for a body goes on where the wait before ended, and keeps its age. */
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
   * Which to evict: a client that has not sent a whole head for a second; one whose refused body has been awaited for a second; one between two
   * requests; one whose body has been awaited for a second; one that has not taken its answer for as long.
   */
  Optional<Client> slowest(long now) {
    return slow(Phase.HEAD, now)
        .or(() -> slow(Phase.DISCARD, now))
        .or(() -> first(Phase.IDLE))
        .or(() -> slow(Phase.BODY, now))
        .or(() -> first(Phase.ANSWER));
  }

  /** The one of which no request has come for longest. */
  Optional<Client> first(Phase phase) {
    NavigableSet<Client> all = of(phase);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.first());
  }

  private Optional<Client> slow(Phase phase, long now) {
    return first(phase).filter(client -> now - client.since() > SLOW.toNanos());
  }
}
