package io.belfry.store.redis;

import static io.belfry.testkit.contract.Subject.PLAIN;
import static io.belfry.testkit.contract.Subject.WATCHED;
import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Endpoint;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Revision;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.RedisSentinels;
import io.belfry.testkit.engine.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A primary that dies, or is cut off together with a client: nothing acknowledged is lost, and no watcher is misled. */
class RedisSentinelTest {
  private static final RedisSettings.Timeouts PATIENT = new RedisSettings.Timeouts(
      Duration.ofSeconds(1), Duration.ofMillis(1500), Duration.ofSeconds(6));

  private final RedisSentinels redis = RedisSentinels.start();

  @AfterEach
  void stop() {
    redis.close();
  }

  private RedisStore connect() {
    return RedisStore.connect(RedisSettings.at(redis.uri()).timeouts(PATIENT));
  }

  /** Hears all it is told and goes on after every compaction. Threading: safe. */
  private static final class Follower implements Watcher {
    final Set<Key> heard = ConcurrentHashMap.newKeySet();
    final AtomicInteger compactions = new AtomicInteger();

    @Override
    public void changed(long revision, List<Change> changes) {
      changes.forEach(change -> heard.add(change.key()));
    }

    @Override
    public void compacted() {
      compactions.incrementAndGet();
    }
  }

  private static void assertAllThere(RedisStore store, Iterable<Key> keys, String why) {
    for (Key each : keys) {
      await()
          .atMost(Duration.ofSeconds(60))
          .pollDelay(Duration.ZERO)
          .ignoreExceptionsInstanceOf(StoreException.class)
          .untilAsserted(
              () -> assertThat(read(store, each)).as("%s: %s", why, each).isPresent());
    }
  }

  @Test
  void a_majority_is_required_by_itself() {
    try (RedisStore store = connect()) {
      put(store, key(PLAIN, "a"), "1");
      assertThat(answer(store.status()).durability()).contains("acknowledged by 1 replica");
    }
  }

  /** Whoever keeps calls away from the engine has to know them. */
  @Test
  void the_servers_that_sentinels_name_are_known_by_their_addresses() {
    try (RedisStore store = connect()) {
      assertThat(store.endpoints())
          .extracting(Endpoint::port)
          .contains(redis.wirePort())
          .containsAll(redis.replicas().stream().map(RedisServer::port).toList())
          .hasSizeGreaterThan(3);
    }
  }

  /** A sentinel that the address does not name is a server of the engine as well. */
  @Test
  void the_sentinels_that_others_name_are_known_although_one_was_named() {
    String[] named = redis.uri().split("//|,|/belfry$", -1);
    try (RedisStore store =
        RedisStore.connect(RedisSettings.at("redis+sentinel://" + named[1] + "/belfry"))) {
      assertThat(store.endpoints())
          .extracting(Endpoint::toString)
          .contains(named[1], named[2], named[3]);
    }
  }

  @Test
  void a_replica_that_comes_while_the_connection_lasts_is_known_within_seconds() {
    try (RedisStore store = connect();
        RedisServer late = RedisServer.start("--replicaof", "127.0.0.1", "" + redis.wirePort())) {
      await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(
              () -> assertThat(store.endpoints()).extracting(Endpoint::port).contains(late.port()));
      assertThat(store.reconnects()).isZero();
    }
  }

  @Test
  void the_primary_is_killed_under_writers() {
    try (RedisStore store = connect()) {
      long before = put(store, key(PLAIN, "a"), "1");
      var follower = new Follower();
      try (Watch watch = store.watch(Feed.of(WATCHED), before, follower)) {
        List<Key> acknowledged = new Hammer(store, 8, 300).during(() -> {
          redis.first().kill();
          redis.awaitFailover();
        });
        assertThat(acknowledged.size()).isGreaterThanOrEqualTo(600);
        assertAllThere(store, acknowledged, "acknowledged");
        assertAllThere(store, follower.heard, "heard by a watcher");
        await().atMost(Duration.ofSeconds(60)).until(() -> follower.compactions.get() == 1);
        assertThat(Revision.epoch(put(store, key(PLAIN, "a"), "2")))
            .isGreaterThan(Revision.epoch(before));
      }
    }
  }

  /**
   * Protects WAIT, the barrier and the epoch together: the old primary goes on taking writes from the client that is alone
   * with it, and loses them all when it is found again.
   */
  @Test
  void the_primary_is_cut_off_together_with_a_client() {
    try (RedisStore majority = connect();
        RedisStore alone =
            RedisStore.connect(RedisSettings.at(redis.first().uri()).timeouts(PATIENT))) {
      long before = put(alone, key(PLAIN, "a"), "1");
      var follower = new Follower();
      try (Watch watch = alone.watch(Feed.of(WATCHED), before, follower)) {
        put(majority, key(WATCHED, "first"), "1");
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> follower.heard.contains(key(WATCHED, "first")));

        redis.cutOffFirst();
        var acknowledgedAlone = new java.util.ArrayList<Key>();
        redis.awaitFailoverWhile(() -> {
          Key key = key(WATCHED, "alone-" + acknowledgedAlone.size() + "-" + follower.heard.size());
          try {
            if (answer(alone.commit(Commit.when().put(key, bytes("alone")).build()))
                instanceof Outcome.Done) {
              acknowledgedAlone.add(key);
            }
          } catch (StoreException.Unknown | StoreException.Unavailable notAcknowledged) {
            assertThat(notAcknowledged.getMessage()).isNotBlank();
          }
        });
        List<Key> acknowledged = new Hammer(majority, 4, 100).during(() -> {});
        assertThat(redis.first().info("replication", "role")).isEqualTo("master");

        redis.mend();
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> redis.first().info("replication", "role").equals("slave"));
        assertAllThere(majority, acknowledged, "acknowledged by the majority");
        assertAllThere(majority, acknowledgedAlone, "acknowledged by the cut-off primary");
        assertAllThere(majority, follower.heard, "heard from the cut-off primary");
      }
    }
  }

  /** The same value guard across a failover that took the value back (acknowledgements waived, so that it can). */
  @Test
  void what_a_failover_took_back_is_not_mistaken_for_what_came_after() {
    try (RedisStore store =
        RedisStore.connect(RedisSettings.at(redis.uri()).timeouts(PATIENT).acknowledgements(0))) {
      Key key = key(WATCHED, "k");
      put(store, key, "replicated");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> redis.replicas().stream()
              .allMatch(each -> each.ask("EXISTS", "{belfry:default}ew/k").equals(List.of("1"))));
      redis.cutOffFirst();
      // The client of the sentinels is cut off too: its wire is the sentinels' one.
      try (RedisStore alone =
          RedisStore.connect(RedisSettings.at(redis.first().uri()).timeouts(PATIENT))) {
        long taken = put(alone, key, "will be taken back");
        redis.awaitFailover();
        redis.first().kill();
        long second = await()
            .atMost(Duration.ofSeconds(60))
            .ignoreExceptionsInstanceOf(StoreException.class)
            .until(() -> put(store, key, "another value"), revision -> revision > 0);
        assertThat(second).isNotEqualTo(taken);
        assertThat(answer(store.commit(Commit.when()
                .unchanged(key, taken)
                .put(key, bytes("by mistake"))
                .build())))
            .isInstanceOf(Outcome.Refused.class);
        WatchProbe ear = new WatchProbe();
        try (Watch watch = store.watch(Feed.of(WATCHED), taken, ear)) {
          ear.opened();
          assertThat(ear.next(WatchProbe.Event.Compacted.class)).isNotNull();
        }
        assertThat(read(store, key)).contains("another value");
      }
    }
  }

  @Test
  void replicas_of_unequal_priority_are_found_by_asking_a_sentinel() {
    redis.replicas().getFirst().ask("CONFIG", "SET", "replica-priority", "10");
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThatThrownBy(() -> connect().close())
            .isInstanceOf(StoreException.Denied.class)
            .hasMessageContaining("replica-priority"));
  }

  /** Otherwise the first failover would stop everything, at a time when nobody looks. */
  @Test
  void a_replica_that_would_be_refused_as_primary_is_refused_before() {
    redis.replicas().get(1).ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    assertThatThrownBy(this::connect)
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("A replica would be refused if it became the primary")
        .hasMessageContaining("" + redis.replicas().get(1).port());
    redis.replicas().get(1).ask("CONFIG", "SET", "maxmemory-policy", "noeviction");
    redis.replicas().get(0).ask("CONFIG", "SET", "appendonly", "no");
    assertThatThrownBy(this::connect)
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("appendonly yes");
  }

  @Test
  void without_a_spare_replica_it_is_said_that_commits_stop_while_one_is_down() {
    try (LogLines log = new LogLines();
        RedisStore store = RedisStore.connect(
            RedisSettings.at(redis.uri()).timeouts(PATIENT).acknowledgements(2))) {
      assertThat(log.at(Level.WARN))
          .anyMatch(line -> line.contains("2 of 2 replicas must acknowledge")
              && line.contains("commits stop for as long as any of the servers is down"));
      assertThat(answer(store.status()).durability())
          .contains("commits stop while any server is down");
    }
    try (LogLines log = new LogLines();
        RedisStore store = RedisStore.connect(
            RedisSettings.at(redis.uri()).timeouts(PATIENT).acknowledgements(1))) {
      assertThat(log.at(Level.WARN)).isEmpty();
      assertThat(answer(store.status()).durability()).doesNotContain("commits stop");
    }
  }
}
