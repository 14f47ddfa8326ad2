package io.belfry.store.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.store.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Asks the nodes of a cluster who owns the namespace's slot.
 *
 * <p>Threading: confined to the thread that connects.
 */
final class ClusterLocator implements Locator {
  private final RedisAddress address;
  private final Dialer dialer;
  private final int slot;
  private final Set<HostAndPort> nodes = new LinkedHashSet<>();

  ClusterLocator(RedisAddress address, String tag, Dialer dialer) {
    this.address = address;
    this.dialer = dialer;
    this.slot = JedisClusterCRC16.getSlot(tag);
    nodes.addAll(address.seeds());
  }

  @Override
  public Place locate() {
    @Nullable RuntimeException trouble = null;
    for (HostAndPort each : List.copyOf(nodes)) {
      try (Wire wire = dialer.dial(each)) {
        Optional<HostAndPort> owner = owner(each, (List<?>) wire.ask(Command.CLUSTER, "SLOTS"));
        if (owner.isPresent()) {
          return new Place(owner.get(), List.of());
        }
      } catch (RuntimeException e) {
        // One node that is away, refuses us or answers nonsense must not keep us from the others.
        trouble = e;
      }
      // Whoever did not know is asked last the next time.
      nodes.remove(each);
      nodes.add(each);
    }
    if (trouble instanceof StoreException.Denied denied) {
      throw denied;
    }
    throw new StoreException.Unavailable(
        "No node of the cluster at " + address.seeds() + " could say who owns slot " + slot
            + ". The last trouble: " + (trouble == null ? "none" : trouble.getMessage()),
        trouble);
  }

  private Optional<HostAndPort> owner(HostAndPort asked, List<?> ranges) {
    var found = new ArrayList<HostAndPort>();
    for (Object each : ranges) {
      List<?> range = (List<?>) each;
      List<?> primary = (List<?>) range.get(2);
      String host = primary.get(0) == null ? "" : new String((byte[]) primary.get(0), UTF_8);
      var at = new HostAndPort(
          host.isEmpty() ? asked.getHost() : host, ((Long) primary.get(1)).intValue());
      nodes.add(at);
      if ((Long) range.get(0) <= slot && slot <= (Long) range.get(1)) {
        found.add(at);
      }
    }
    return found.stream().findFirst();
  }
}
