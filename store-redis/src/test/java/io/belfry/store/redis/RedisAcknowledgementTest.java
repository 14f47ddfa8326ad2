package io.belfry.store.redis;

import static io.belfry.testkit.contract.Subject.ORDERED;
import static io.belfry.testkit.contract.Subject.PLAIN;
import static io.belfry.testkit.contract.Subject.WATCHED;
import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static io.belfry.testkit.contract.Subject.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.RedisServer;
import io.belfry.testkit.engine.TcpProxy;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What counts is what enough replicas have: for outcomes, for reads and for watches. */
class RedisAcknowledgementTest {
  private final RedisServer primary = RedisServer.start();
  private final TcpProxy wire = TcpProxy.to(primary.port());
  private final RedisServer replica =
      RedisServer.start("--replicaof", "127.0.0.1", "" + wire.port());

  @BeforeEach
  void awaitReplica() {
    await().atMost(Duration.ofSeconds(60)).until(() -> primary.replicasInStep() == 1);
  }

  @AfterEach
  void stop() {
    replica.close();
    wire.close();
    primary.close();
  }

  private RedisSettings settings() {
    return RedisSettings.at(primary.uri())
        .timeouts(new RedisSettings.Timeouts(
            Duration.ofSeconds(1), Duration.ofMillis(1500), Duration.ofSeconds(5)));
  }

  /** Protects the WAIT behind every batch: without it all of these would be acknowledged. */
  @Test
  void a_commit_that_no_replica_has_is_unknown() {
    try (RedisStore store = RedisStore.connect(settings().acknowledgements(1))) {
      put(store, key(PLAIN, "a"), "1");
      replica.pause();
      Commit commit = Commit.when()
          .absent(key(PLAIN, "own"))
          .put(key(PLAIN, "own"), bytes("1"))
          .build();
      assertThatThrownBy(() -> answer(store.commit(commit)))
          .isInstanceOf(StoreException.Unknown.class)
          .hasMessageContaining("0 of 1 replicas");
      replica.resume();
      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptionsInstanceOf(StoreException.class)
          .untilAsserted(() -> assertThat(answer(store.commit(commit))).isNotNull());
      assertThat(read(store, key(PLAIN, "own"))).contains("1");
    }
  }

  /** Protects the barrier write of a refused commit: the refusal stands on a value that no replica has. */
  @Test
  void a_refusal_by_what_no_replica_has_is_unknown_too() {
    try (RedisStore store = RedisStore.connect(settings().acknowledgements(1));
        RedisStore other = RedisStore.connect(settings())) {
      Key key = key(PLAIN, "a");
      put(other, key(PLAIN, "x"), "1");
      replica.pause();
      assertThatThrownBy(() -> put(store, key, "1")).isInstanceOf(StoreException.Unknown.class);
      assertThatThrownBy(() ->
              answer(other.commit(Commit.when().absent(key).put(key, bytes("2")).build())))
          .isInstanceOf(StoreException.Unknown.class);
      replica.resume();
    }
  }

  @Test
  void a_read_of_what_no_replica_has_is_unavailable() {
    try (RedisStore store = RedisStore.connect(settings().acknowledgements(1))) {
      put(store, key(PLAIN, "a"), "1");
      replica.pause();
      assertThatThrownBy(() -> read(store, key(PLAIN, "a")))
          .isInstanceOf(StoreException.Unavailable.class);
      replica.resume();
    }
  }

  @Test
  void a_read_of_what_another_wrote_and_no_replica_has_is_unavailable() {
    try (RedisStore store = RedisStore.connect(settings().acknowledgements(1));
        RedisStore other = RedisStore.connect(settings())) {
      put(other, key(ORDERED, "x"), "1");
      replica.pause();
      assertThatThrownBy(() -> put(store, key(ORDERED, "a"), "1"))
          .isInstanceOf(StoreException.Unknown.class);
      assertThatThrownBy(() -> read(other, key(ORDERED, "a")))
          .isInstanceOf(StoreException.Unavailable.class);
      assertThatThrownBy(() -> answer(other.scan(Scan.all(ORDERED))))
          .isInstanceOf(StoreException.Unavailable.class);
      replica.resume();
    }
  }

  /**
   * WAIT promises only that replicas have what its own connection wrote. Redis 7.0 also counts what was there when the
   * connection last asked anything, so its answers do not show whether a call wrote; later versions count writes
   * alone. Hence the write itself is looked for.
   */
  @Nested
  class For_WAIT_to_cover {
    private static final Key KEY = key(ORDERED, "a");

    private void writesSomething(Consumer<Store> question) {
      try (RedisStore store = RedisStore.connect(settings().acknowledgements(1))) {
        put(store, KEY, "1");
        long before = writes();
        question.accept(store);
        assertThat(writes()).isGreaterThan(before);
      }
    }

    /** Commands that changed data; not what replication sends by itself. */
    private long writes() {
      return Long.parseLong(primary.info("persistence", "rdb_changes_since_last_save"));
    }

    @Test
    void a_get_writes_something() {
      writesSomething(store -> assertThat(read(store, KEY)).contains("1"));
    }

    @Test
    void a_scan_writes_something() {
      writesSomething(
          store -> assertThat(answer(store.scan(Scan.all(ORDERED))).entries()).hasSize(1));
    }

    @Test
    void a_batch_in_which_every_commit_is_refused_writes_something() {
      writesSomething(store -> refused(store, Commit.when().absent(KEY).put(KEY, bytes("2"))));
    }
  }

  /** Protects "a setting kept in the data set": the second client was not told, and learns it all the same. */
  @Test
  void the_number_is_kept_in_the_data_set_for_all_clients() {
    try (RedisStore first = RedisStore.connect(settings());
        RedisStore second = RedisStore.connect(settings().acknowledgements(1))) {
      put(first, key(PLAIN, "a"), "1");
      put(second, key(PLAIN, "a"), "2");
      assertThat(answer(first.status()).durability()).contains("acknowledged by 1 replica");
      replica.pause();
      assertThatThrownBy(() -> put(first, key(PLAIN, "a"), "3"))
          .isInstanceOf(StoreException.Unknown.class);
      replica.resume();
    }
  }

  /** Protects "stored, or else sent" when an epoch begins: who comes first after it may not know the number. */
  @Test
  void the_number_outlives_an_epoch() {
    RedisStore.connect(settings().acknowledgements(1)).close();
    primary.kill();
    primary.startAgain();
    await().atMost(Duration.ofSeconds(60)).until(() -> primary.replicasInStep() == 1);
    try (RedisStore store = RedisStore.connect(settings())) {
      assertThat(answer(store.status()).durability()).contains("acknowledged by 1 replica");
    }
  }

  @Test
  void without_replicas_a_store_that_needs_them_does_not_open() {
    RedisStore.connect(settings().acknowledgements(1)).close();
    wire.cut();
    replica.kill();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> primary.info("replication", "connected_slaves").equals("0"));
    assertThatThrownBy(() -> RedisStore.connect(settings()))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("must be acknowledged by 1 replicas");
    try (RedisStore knowingly = RedisStore.connect(settings().acknowledgements(0))) {
      put(knowingly, key(PLAIN, "a"), "1");
    }
  }

  /** Protects the barrier of the feed reader: without it the watcher hears what a failover then takes back. */
  @Test
  void a_watch_does_not_tell_what_no_replica_has() {
    try (RedisStore store = RedisStore.connect(settings().acknowledgements(1))) {
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, ear)) {
        ear.opened();
        long heard = put(store, key(WATCHED, "a"), "1");
        assertThat(ear.changed().revision()).isEqualTo(heard);
        replica.pause();
        assertThatThrownBy(() -> put(store, key(WATCHED, "b"), "2"))
            .isInstanceOf(StoreException.Unknown.class);
        assertThat(ear.silentFor(Duration.ofSeconds(2))).isTrue();
        replica.resume();
        assertThat(ear.changed().changes().getFirst().key()).isEqualTo(key(WATCHED, "b"));
      }
    }
  }

  /** The same with the end that the barrier is for: the replica takes over without the step. */
  @Test
  void what_was_not_told_and_is_taken_back_was_never_heard_of() {
    try (RedisStore store = RedisStore.connect(settings().acknowledgements(1))) {
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, ear)) {
        ear.opened();
        put(store, key(WATCHED, "a"), "1");
        ear.changed();
        // Cut, not paused: what sits in a paused replica's socket would still arrive.
        wire.cut();
        assertThatThrownBy(() -> put(store, key(WATCHED, "b"), "2"))
            .isInstanceOfAny(StoreException.Unknown.class, StoreException.Unavailable.class);
        assertThat(ear.silentFor(Duration.ofSeconds(1))).isTrue();
        primary.kill();
        replica.ask("REPLICAOF", "NO", "ONE");
        replica.ask("CONFIG", "SET", "port", "" + primary.port());
        try (RedisStore survivor = RedisStore.connect(settings().acknowledgements(0))) {
          assertThat(read(survivor, key(WATCHED, "a"))).contains("1");
          assertThat(read(survivor, key(WATCHED, "b"))).isEmpty();
        }
        assertThat(ear.next(WatchProbe.Event.Compacted.class)).isNotNull();
      }
    }
  }
}
