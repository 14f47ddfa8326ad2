package io.belfry.store.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.store.StoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  private record Answer(HostAndPort primary, long configEpoch, List<Integer> priorities) {}

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
    return new Place(best.primary, best.priorities);
  }

  private Answer ask(HostAndPort sentinel) {
    Map<String, String> said =
        fields((List<?>) dialer.askSentinel(sentinel, "MASTER", address.primary()));
    return new Answer(
        new HostAndPort(
            said.getOrDefault("ip", ""), Integer.parseInt(said.getOrDefault("port", "0"))),
        Long.parseLong(said.getOrDefault("config-epoch", "0")),
        priorities(sentinel));
  }

  private List<Integer> priorities(HostAndPort sentinel) {
    List<?> replicas = (List<?>) dialer.askSentinel(sentinel, "REPLICAS", address.primary());
    return replicas.stream()
        .map(each -> Integer.parseInt(fields((List<?>) each).getOrDefault("slave-priority", "100")))
        .toList();
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
