package io.belfry.store.redis;

import io.belfry.store.StoreException;
import java.util.List;
import java.util.Set;
import redis.clients.jedis.HostAndPort;

/** Finds the server that may be written to. Asked before every connection, because it moves. */
interface Locator {

  /**
   * Where the primary is said to be.
   *
   * @param replicaPriorities of the replicas that may be promoted in its place, as far as somebody knows
   * @param others servers that were named besides it
   */
  record Place(HostAndPort at, List<Integer> replicaPriorities, Set<HostAndPort> others) {}

  /** Throws {@link StoreException.Unavailable} when nobody knows. */
  Place locate();

  static Locator of(RedisSettings settings, Dialer dialer) {
    RedisAddress address = settings.address();
    return switch (address.kind()) {
      case STANDALONE -> () -> new Place(address.seeds().getFirst(), List.of(), Set.of());
      case SENTINEL -> new SentinelLocator(address, dialer);
      case CLUSTER -> new ClusterLocator(address, settings.tag(), dialer);
    };
  }
}
