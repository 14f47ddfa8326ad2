package io.belfry.store.redis;

import io.belfry.model.time.Time;
import io.belfry.store.Endpoint;
import io.belfry.store.LogLimiter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;

/**
 * Where all servers of this Redis listen: those of the settings, and the primaries, replicas, cluster nodes and sentinels that were found. Asks
 * again every few seconds, because servers are added while the connection to the primary lasts.
 *
 * <p>A server that is not named any more stays known for ten minutes: a replica that was cut off is missing from the primary's list and
 * still holds all data.
 *
 * <p>Threading: safe. One thread asks.
 */
final class Topology implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Topology.class);
  private static final long EVERY_MILLIS = 3000;
  private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(10);
  /** More than any Redis has; bounds what a server that talks nonsense makes us keep. */
  private static final int SERVERS_MAX = 10_000;

  private final Set<Endpoint> named;
  private final Dialer dialer;
  private final Locator locator;
  private final Time time;
  private final LogLimiter unexpected;
  private final CountDownLatch closed = new CountDownLatch(1);
  /** When each was last named. Guarded by this. */
  private final Map<Endpoint, Long> seen = new HashMap<>();

  private volatile Set<Endpoint> all;

  /**
   * Knows the servers of the settings.
   *
   * @param locator one of its own, because locators belong to one thread
   */
  Topology(RedisSettings settings, Dialer dialer, Locator locator, Time time) {
    this.named = settings.endpoints();
    this.dialer = dialer;
    this.locator = locator;
    this.time = time;
    this.unexpected = LogLimiter.everyMinute(time);
    this.all = named;
  }

  Set<Endpoint> all() {
    return all;
  }

  /** These servers are named at this moment. */
  synchronized void found(Collection<HostAndPort> servers) {
    long now = time.nanos();
    seen.values().removeIf(last -> now - last > KEPT_NANOS);
    named.forEach(server -> seen.put(server, now));
    for (HostAndPort each : servers) {
      var server = new Endpoint(each.getHost(), each.getPort());
      if (seen.size() < SERVERS_MAX || seen.containsKey(server)) {
        seen.put(server, now);
      }
    }
    if (!all.equals(seen.keySet())) {
      all = Set.copyOf(seen.keySet());
    }
  }

  /** The loop of its thread: whatever is thrown, it goes on until the store is closed. */
  void run() {
    while (!awaitClosed()) {
      try {
        found(ask());
      } catch (RuntimeException e) {
        // What was known stays known. The link meets the same trouble, and logs what must be done.
        LOG.debug("The servers of Redis could not be listed; asked again in a moment.", e);
      } catch (Error e) {
        var unused = unexpected.log(
            String.valueOf(e),
            more -> LOG.error("Redis: listing its servers failed and goes on{}.", more, e));
      }
    }
  }

  private List<HostAndPort> ask() {
    Locator.Place place = locator.locate();
    var found = new ArrayList<>(place.others());
    found.add(place.at());
    found(found); // also when the primary does not answer
    try (Wire wire = dialer.dialBriefly(place.at())) {
      found.addAll(Audit.replicas(wire));
    }
    return found;
  }

  private boolean awaitClosed() {
    try {
      return closed.await(EVERY_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // This thread ends by close(), never by an interrupt.
      return closed.getCount() == 0;
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
