package io.belfry.server.connection;

import io.belfry.server.connection.Client.Phase;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The open connections, and which of them to evict at a limit. A new connection is accepted as long as another one can be evicted, because a health
 * check is recognized only after its head was read. If every other connection, or every one of its address, has a running request, the new one is
 * reserved: only health checks are answered on it. One address can use only a part of the reserve.
 *
 * <p>Threading: safe; one lock, under which nothing blocks.
 */
final class ConnectionSlots {
  /** A connection that the caller must close. */
  record Closing(Client client, CloseReason reason) {}

  private static final class Group {
    private int count;
    private int reserved;
    private final EvictionQueue waiting = new EvictionQueue();
  }

  /** The reserve is divided, so that one address cannot use up the health checks of others, and has at least two. */
  private static final int PARTS_OF_RESERVE = 8;

  private static final int PART_MIN = 2;

  private final ConnectionLimits limits;
  private final int partOfReserve;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Client> all = new HashSet<>();
  private final Map<Object, Group> groups = new HashMap<>();
  private final EvictionQueue waiting = new EvictionQueue();
  private int reserved;
  private long opened;

  ConnectionSlots(ConnectionLimits limits) {
    this.limits = limits;
    this.partOfReserve = Math.max(PART_MIN, limits.reserve() / PARTS_OF_RESERVE);
  }

  /** Adds a connection; returns the connections to close for it, possibly the new one itself. */
  List<Closing> open(Client client, long now) {
    lock.lock();
    try {
      client.number(++opened);
      var closing = new ArrayList<Closing>();
      makeRoomInGroup(client, now).ifPresent(closing::add);
      closing.forEach(each -> forget(each.client));
      if (!client.isReserved() && closing.stream().noneMatch(each -> each.client == client)) {
        makeRoom(client, now).ifPresent(each -> {
          closing.add(each);
          forget(each.client);
        });
      }
      if (closing.stream().anyMatch(each -> each.client == client)) {
        client.enter(Phase.CLOSED, now);
      } else {
        enter(client);
      }
      return closing;
    } finally {
      lock.unlock();
    }
  }

  /** Makes room within an address: a connection without any input is evicted before the reserve is used. */
  private Optional<Closing> makeRoomInGroup(Client client, long now) {
    @Nullable Group group = groups.get(client.group());
    if (group == null || group.count - group.reserved < limits.perAddress()) {
      return Optional.empty();
    }
    Optional<Client> victim = group.waiting.slowest(now).or(() -> group.waiting.first(Phase.HEAD));
    if (victim.isEmpty() && reserved < limits.reserve() && !hasItsPart(group)) {
      client.reserve();
      return Optional.empty();
    }
    reserveIfInsteadOf(victim, client);
    return Optional.of(new Closing(victim.orElse(client), CloseReason.ADDRESS_LIMIT));
  }

  private boolean hasItsPart(@Nullable Group group) {
    return group != null && group.reserved >= partOfReserve;
  }

  private Optional<Closing> makeRoom(Client client, long now) {
    if (all.size() - reserved < limits.connections()) {
      return Optional.empty();
    }
    @Nullable Group group = groups.get(client.group());
    boolean hasItsPart = hasItsPart(group);
    Optional<Client> slow = waiting.slowest(now);
    if (slow.isEmpty() && reserved < limits.reserve() && !hasItsPart) {
      client.reserve();
      return Optional.empty();
    }
    EvictionQueue others = hasItsPart && group != null ? group.waiting : waiting;
    Optional<Client> victim = slow.or(() -> others.first(Phase.HEAD));
    reserveIfInsteadOf(victim, client);
    return Optional.of(victim
        .map(evicted -> new Closing(evicted, CloseReason.EVICTED))
        .orElseGet(() -> new Closing(client, CloseReason.REFUSED)));
  }

  /** A connection that replaces a reserved one is reserved, too. */
  private static void reserveIfInsteadOf(Optional<Client> victim, Client client) {
    if (victim.filter(Client::isReserved).isPresent()) {
      client.reserve();
    }
  }

  private void enter(Client client) {
    all.add(client);
    reserved += client.isReserved() ? 1 : 0;
    Group group = groups.computeIfAbsent(client.group(), unused -> new Group());
    group.count++;
    group.reserved += client.isReserved() ? 1 : 0;
    waiting.add(client);
    group.waiting.add(client);
  }

  /** Removes a closed connection; does nothing if it was already removed. */
  void close(Client client) {
    lock.lock();
    try {
      forget(client);
    } finally {
      lock.unlock();
    }
  }

  private void forget(Client client) {
    if (!all.remove(client)) {
      return;
    }
    reserved -= client.isReserved() ? 1 : 0;
    waiting.remove(client);
    @Nullable Group group = groups.get(client.group());
    if (group != null) {
      group.waiting.remove(client);
      group.count--;
      group.reserved -= client.isReserved() ? 1 : 0;
      if (group.count == 0) {
        groups.remove(client.group());
      }
    }
    client.enter(Phase.CLOSED, client.since());
  }

  /** Moves the connection to a phase. */
  void enter(Client client, Phase phase, long since) {
    enter(client, phase, since, () -> true);
  }

  /**
   * Moves the connection to a phase if a condition holds.
   *
   * @param since start of the wait; all waits for the same body count as one
   * @param holds condition, evaluated under the lock
   */
  void enter(Client client, Phase phase, long since, BooleanSupplier holds) {
    lock.lock();
    try {
      if (!all.contains(client) || !holds.getAsBoolean()) {
        return;
      }
      waiting.remove(client);
      @Nullable Group group = groups.get(client.group());
      if (group != null) {
        group.waiting.remove(client);
      }
      client.enter(phase, since);
      if (phase != Phase.BUSY) {
        waiting.add(client);
        if (group != null) {
          group.waiting.add(client);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** The open connections. */
  List<Client> all() {
    lock.lock();
    try {
      return List.copyOf(all);
    } finally {
      lock.unlock();
    }
  }

  long opened() {
    lock.lock();
    try {
      return opened;
    } finally {
      lock.unlock();
    }
  }

  /** The number of open connections by phase. */
  Map<Phase, Integer> counts() {
    lock.lock();
    try {
      var counts = new EnumMap<Phase, Integer>(Phase.class);
      int seen = 0;
      for (Phase phase : List.of(Phase.HEAD, Phase.IDLE, Phase.BODY, Phase.DISCARD, Phase.ANSWER)) {
        counts.put(phase, waiting.count(phase));
        seen += waiting.count(phase);
      }
      counts.put(Phase.BUSY, all.size() - seen);
      return counts;
    } finally {
      lock.unlock();
    }
  }
}
