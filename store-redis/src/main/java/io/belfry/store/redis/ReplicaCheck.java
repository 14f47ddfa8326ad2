package io.belfry.store.redis;

import io.belfry.model.time.Time;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Whether the replicas could take over. After a failover one of them is the primary, and is asked the same as the first: one that
 * would be refused then is refused now, while somebody is there to mend it.
 *
 * <p>Threading: confined to the link's thread.
 */
final class ReplicaCheck {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaCheck.class);

  private final Dialer dialer;
  private final RedisSettings settings;
  private final Time time;

  ReplicaCheck(Dialer dialer, RedisSettings settings, Time time) {
    this.dialer = dialer;
    this.settings = settings;
    this.time = time;
  }

  /** Throws {@link StoreException.Denied} when one of them would be refused. Those that cannot be reached are warned about. */
  void require(List<HostAndPort> replicas) {
    if (settings.durability() == RedisSettings.Durability.NONE
        || settings.address().kind() == RedisAddress.Kind.STANDALONE) {
      return;
    }
    // Who connects waits for this, so that replicas behind a firewall must not use up all the time
    // there is.
    Duration most = settings.timeouts().answer().dividedBy(2);
    long start = time.nanos();
    for (HostAndPort each : replicas) {
      if (time.nanos() - start > most.toNanos()) {
        LOG.warn(
            "Redis (namespace {}): the settings of the replica at {} were not checked, for want of time. A failover to it may be refused.",
            settings.namespace(),
            each);
      } else {
        require(each);
      }
    }
  }

  private void require(HostAndPort replica) {
    try (Wire wire = dialer.dial(replica)) {
      Audit.of(wire, List.of()).requireSettings(replica);
      ReplayRights.require(wire, settings, replica);
    } catch (StoreException.Denied e) {
      throw new StoreException.Denied(
          "A replica would be refused if it became the primary, so that the first failover would stop everything: "
              + e.getMessage(),
          e);
    } catch (StoreException | JedisException e) {
      LOG.warn(
          "Redis (namespace {}): the settings of the replica at {} could not be checked: {} A failover to it may be refused.",
          settings.namespace(),
          replica,
          e.getMessage());
    }
  }
}
