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
 * Who is connected. A new connection is always taken in as long as one can be evicted for it: whether it brings a health check can only be
 * known once its head was read. When every other connection has a running request, or every one of its address, it gets a place of the
 * reserve, on which only health checks are answered; of that no address has more than a part.
 *
 * <p>Threading: safe; one lock, nothing that waits is called under it.
 */
final class ConnectionSlots {
  /** A connection that must be closed, by the caller. */
  record Closing(Client client, CloseReason reason) {}

  private static final class Group {
    private int count;
    private int reserved;
    private final EvictionQueue waiting = new EvictionQueue();
  }

  /** One address cannot keep the checks of others out, and has room for two of its own. */
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

  /** Takes in a connection; answers which to close for it, maybe itself. */
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

  /** Within an address a place that nothing was sent on is given away before the reserve is used. */
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

  /** Who comes instead of one on the reserve is on the reserve. */
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

  /** Forgets a connection that is closed; nothing happens if it was forgotten before. */
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

  /** What the connection waits for from now on. */
  void enter(Client client, Phase phase, long since) {
    enter(client, phase, since, () -> true);
  }

  /**
   * Likewise, if something still holds.
   *
   * @param since when the wait began, all waits for the same body taken together
   * @param holds asked under the lock, so that nothing changes in between
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

  /** All that are open now. */
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

  /** How many are open now, by what they wait for. */
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
