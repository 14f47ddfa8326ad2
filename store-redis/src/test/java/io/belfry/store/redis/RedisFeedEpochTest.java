package io.belfry.store.redis;

import static io.belfry.testkit.contract.Subject.WATCHED;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import io.belfry.store.Feed;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.RedisServer;
import io.belfry.testkit.engine.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;

/** One failover is one epoch: the connection on which feeds are read follows, it never begins one. */
class RedisFeedEpochTest {
  private final RedisServer before = RedisServer.start();
  private final RedisServer after = RedisServer.start();
  private final TcpProxy wire = TcpProxy.to(before.port());
  private final RedisSettings settings = RedisSettings.at("redis://127.0.0.1:" + wire.port())
      .timeouts(new RedisSettings.Timeouts(
          Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofSeconds(2)));

  @AfterEach
  void stop() {
    wire.close();
    before.close();
    after.close();
  }

  private static String epoch(RedisServer server) {
    return String.join("", server.ask("HGET", "{belfry:default}m", "e"));
  }

  /** Feeds are read from the old primary for a while: it is still up, and the link has moved on already. */
  private final class SlowToMove extends Dialer {
    private final AtomicInteger dialed = new AtomicInteger();
    private volatile boolean moved;

    SlowToMove() {
      super(settings, Time.system());
    }

    @Override
    Wire dial(HostAndPort at) {
      if (moved || !Thread.currentThread().getName().endsWith("-feeds")) {
        return super.dial(at);
      }
      dialed.incrementAndGet();
      return super.dial(new HostAndPort("127.0.0.1", before.port()));
    }
  }

  @Test
  void reading_from_the_old_primary_begins_no_epoch_on_either() {
    var dialer = new SlowToMove();
    WatchProbe ear = new WatchProbe();
    try (RedisStore store = RedisStore.connect(
            settings,
            dialer,
            () -> new Locator.Place(new HostAndPort("127.0.0.1", wire.port()), List.of(), Set.of()),
            Time.system());
        Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, ear)) {
      ear.opened();
      put(store, key(WATCHED, "a"), "1");
      ear.changed();
      wire.lead(after.port());
      wire.breakConnections();
      await()
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptionsInstanceOf(StoreException.class)
          .until(() -> put(store, key(WATCHED, "a"), "2") > 0);
      int tried = dialed(dialer);
      before.ask("CLIENT", "KILL", "TYPE", "normal");
      await("feeds are looked for on the old primary")
          .atMost(Duration.ofSeconds(30))
          .until(() -> dialed(dialer) > tried + 5);
      assertThat(epoch(before)).isEqualTo("1");
      assertThat(epoch(after)).isEqualTo("2");
      dialer.moved = true;
      ear.awaitCompacted();
      WatchProbe again = new WatchProbe();
      try (Watch later = store.watch(Feed.of(WATCHED), Watch.NOW, again)) {
        again.opened();
        put(store, key(WATCHED, "a"), "3");
        again.changed();
      }
      assertThat(epoch(after)).isEqualTo("2");
    }
  }

  private static int dialed(SlowToMove dialer) {
    return dialer.dialed.get();
  }

  /** Another client has begun an epoch on the same server: the link learns of it because the feed was told. */
  @Test
  void another_epoch_is_heard_of_by_whoever_only_watches() {
    WatchProbe ear = new WatchProbe();
    try (RedisStore store = RedisStore.connect(settings);
        Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, ear)) {
      ear.opened();
      before.ask("HSET", "{belfry:default}m", "e", "5");
      ear.awaitCompacted();
      assertThat(epoch(before)).isEqualTo("5");
    }
  }
}
