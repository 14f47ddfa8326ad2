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
 * Asks the nodes of a cluster who owns the namespace's slot: each time another one first. A node that was cut off from the others
 * names the old owner for as long as that lasts, and the only way to notice is that the owner does not serve us.
 *
 * <p>Threading: confined to the thread that connects.
 */
final class ClusterLocator implements Locator {
  private final RedisAddress address;
  private final Dialer dialer;
  private final int slot;
  /** In the order in which they are asked. */
  private final Set<HostAndPort> nodes = new LinkedHashSet<>();
  /** Those that the last answer named; others that do not answer are not asked again. */
  private Set<HostAndPort> named = Set.of();

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
      nodes.remove(each);
      try (Wire wire = dialer.dialBriefly(each)) {
        Optional<HostAndPort> owner = owner(each, (List<?>) wire.ask(Command.CLUSTER, "SLOTS"));
        nodes.remove(each);
        nodes.add(each);
        if (owner.isPresent()) {
          return new Place(owner.get(), List.of(), named);
        }
      } catch (RuntimeException e) {
        // One node that is away, refuses us or answers nonsense must not keep us from the others.
        trouble = e;
        if (address.seeds().contains(each) || named.contains(each)) {
          nodes.add(each);
        }
      }
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
    var all = new LinkedHashSet<HostAndPort>();
    for (Object each : ranges) {
      List<?> range = (List<?>) each;
      HostAndPort primary = address(asked, (List<?>) range.get(2));
      // Replicas know as well, and are there when the primary is not.
      range.stream().skip(2).forEach(node -> all.add(address(asked, (List<?>) node)));
      if ((Long) range.get(0) <= slot && slot <= (Long) range.get(1)) {
        found.add(primary);
      }
    }
    named = all;
    nodes.addAll(all);
    return found.stream().findFirst();
  }

  private static HostAndPort address(HostAndPort asked, List<?> node) {
    String host = node.get(0) == null ? "" : new String((byte[]) node.get(0), UTF_8);
    return new HostAndPort(
        host.isEmpty() ? asked.getHost() : host, ((Long) node.get(1)).intValue());
  }
}
