package io.belfry.store.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.store.StoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * Asks all sentinels and believes the one with the latest configuration: one that was cut off still names the old
 * primary.
 *
 * <p>Threading: immutable.
 */
final class SentinelLocator implements Locator {
  private final RedisAddress address;
  private final Dialer dialer;

  SentinelLocator(RedisAddress address, Dialer dialer) {
    this.address = address;
    this.dialer = dialer;
  }

  private record Answer(
      HostAndPort primary,
      long configEpoch,
      List<Map<String, String>> replicas,
      List<Map<String, String>> sentinels) {
    List<Integer> priorities() {
      return replicas.stream()
          .map(replica -> Integer.parseInt(replica.getOrDefault("slave-priority", "100")))
          .toList();
    }

    Set<HostAndPort> others() {
      return Stream.concat(replicas.stream(), sentinels.stream())
          .map(SentinelLocator::address)
          .collect(Collectors.toSet());
    }
  }

  @Override
  public Place locate() {
    @Nullable Answer best = null;
    @Nullable RuntimeException trouble = null;
    for (HostAndPort each : address.seeds()) {
      try {
        Answer answer = ask(each);
        if (best == null || answer.configEpoch > best.configEpoch) {
          best = answer;
        }
      } catch (RuntimeException e) {
        // One sentinel that is away, refuses us or answers nonsense must not keep us from the
        // others.
        trouble = e;
      }
    }
    if (best == null) {
      if (trouble instanceof StoreException.Denied denied) {
        throw denied;
      }
      throw new StoreException.Unavailable(
          "No sentinel of " + address.seeds() + " could say where the primary '"
              + address.primary() + "' is. The last one said: "
              + (trouble == null ? "nothing" : trouble.getMessage()),
          trouble);
    }
    return new Place(best.primary, best.priorities(), best.others());
  }

  private Answer ask(HostAndPort sentinel) {
    Map<String, String> said =
        fields((List<?>) dialer.askSentinel(sentinel, "MASTER", address.primary()));
    return new Answer(
        address(said),
        Long.parseLong(said.getOrDefault("config-epoch", "0")),
        list(sentinel, "REPLICAS"),
        list(sentinel, "SENTINELS"));
  }

  private List<Map<String, String>> list(HostAndPort sentinel, String what) {
    List<?> servers = (List<?>) dialer.askSentinel(sentinel, what, address.primary());
    return servers.stream().map(each -> fields((List<?>) each)).toList();
  }

  private static HostAndPort address(Map<String, String> server) {
    return new HostAndPort(
        server.getOrDefault("ip", ""), Integer.parseInt(server.getOrDefault("port", "0")));
  }

  private static Map<String, String> fields(List<?> flat) {
    var fields = new HashMap<String, String>();
    for (int i = 0; i + 1 < flat.size(); i += 2) {
      fields.put(
          new String((byte[]) flat.get(i), UTF_8), new String((byte[]) flat.get(i + 1), UTF_8));
    }
    return fields;
  }
}
