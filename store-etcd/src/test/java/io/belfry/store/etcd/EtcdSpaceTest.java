package io.belfry.store.etcd;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.find;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static io.belfry.testkit.contract.Subject.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Revision;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.etcd.EtcdSettings.Room;
import io.belfry.store.etcd.EtcdSettings.Timeouts;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.EtcdCluster;
import io.belfry.testkit.engine.EtcdOptions;
import io.belfry.testkit.engine.EtcdServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** etcd keeps every revision until it is compacted, and takes nothing more when its quota is used up. */
@Timeout(120)
class EtcdSpaceTest {
  private static final Space SPACE = Space.plain("s").watchedTogether();
  private static final long QUOTA = 8 << 20;
  /** The compactor's rounds on a full etcd, as the member counts them. */
  private static final String COMPACTIONS =
      "grpc_server_started_total{grpc_method=\"Compact\",grpc_service=\"etcdserverpb.KV\",grpc_type=\"unary\"}";

  private static final Timeouts QUICK = new Timeouts(
      Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMillis(500), Duration.ofSeconds(1));

  @Test
  void a_full_etcd_is_called_full_and_serves_again_when_there_is_room() {
    try (EtcdServer etcd = EtcdServer.start(EtcdOptions.DEFAULT.quotaBytes(QUOTA));
        Store store = EtcdStore.connect(
            EtcdSettings.of(etcd.uri(), "ns").room(Room.SHARED.quotaBytes(QUOTA)))) {
      put(store, key(SPACE, "small"), "before");
      assertThat(answer(store.status()).fullness()).isLessThan(0.5);
      assertThatThrownBy(() -> fill(store))
          .isInstanceOf(StoreException.Full.class)
          .hasMessageContaining("disarm the alarm");
      assertThat(answer(store.status()).fullness()).isGreaterThan(0.9);
      assertThatThrownBy(() -> put(store, key(SPACE, "small"), "while full"))
          .isInstanceOf(StoreException.Full.class);
      assertThat(read(store, key(SPACE, "small"))).contains("before");

      etcd.gateway().compact();
      etcd.gateway().defragmentAndDisarm();
      put(store, key(SPACE, "small"), "after");
      assertThat(read(store, key(SPACE, "small"))).contains("after");
    }
  }

  private static void fill(Store store) {
    for (int i = 0; i < 10_000; i++) {
      putOrUnknown(store, key(SPACE, "large"));
    }
  }

  /** The one that uses up the quota is unknown. */
  private static void putOrUnknown(Store store, Key key) {
    try {
      done(store, Commit.when().put(key, new byte[100 << 10]));
    } catch (StoreException.Unknown e) {
      assertThat(e).hasMessageContaining("quota was used up");
    }
  }

  /**
   * etcd applies what was proposed before its alarm, and says of that, too, that there is no space: so only the answer to a transaction that
   * was surely not applied may be passed on as full.
   */
  @Test
  void what_is_called_full_while_batches_are_in_flight_was_not_written() {
    List<Key> reportedFull = new ArrayList<>();
    List<Key> unknown = new ArrayList<>();
    try (EtcdServer etcd =
            EtcdServer.start(EtcdOptions.DEFAULT.quotaBytes(QUOTA).withoutFsync());
        Store store = EtcdStore.connect(
            EtcdSettings.of(etcd.uri(), "ns").room(Room.SHARED.quotaBytes(QUOTA)))) {
      for (int round = 0; round < 5; round++) {
        List<Key> written = new ArrayList<>();
        List<Key> full = fillInFlight(store, "r" + round + "-", written, unknown);
        for (Key each : full) {
          assertThat(find(store, each)).as("%s, which was reported full", each).isEmpty();
        }
        reportedFull.addAll(full);
        written.forEach(each -> done(store, Commit.when().delete(each)));
        unknown.forEach(each -> done(store, Commit.when().delete(each)));
        etcd.gateway().compact();
        etcd.gateway().defragmentAndDisarm();
      }
    }
    assertThat(reportedFull).isNotEmpty();
  }

  /** Commits of their own keys, many at once, until one is refused for want of space; those that were refused. */
  private static List<Key> fillInFlight(
      Store store, String prefix, List<Key> written, List<Key> unknown) {
    List<Key> full = new ArrayList<>();
    for (int wave = 0; full.isEmpty(); wave++) {
      Map<Key, CompletionStage<Outcome>> answers = new LinkedHashMap<>();
      for (int i = 0; i < 200; i++) {
        Key own = key(SPACE, prefix + wave + "-" + i);
        answers.put(
            own,
            store.commit(Commit.when().absent(own).put(own, new byte[4 << 10]).build()));
      }
      answers.forEach((own, stage) -> {
        try {
          assertThat(answer(stage)).isInstanceOf(Outcome.Done.class);
          written.add(own);
        } catch (StoreException.Full e) {
          full.add(own);
        } catch (StoreException.Unknown e) {
          unknown.add(own);
        }
      });
    }
    return full;
  }

  @Test
  void a_full_etcd_takes_what_only_deletes_even_beside_what_puts() throws Exception {
    try (EtcdServer etcd = EtcdServer.start(EtcdOptions.DEFAULT.quotaBytes(QUOTA));
        Store store = EtcdStore.connect(
            EtcdSettings.of(etcd.uri(), "ns").room(Room.SHARED.quotaBytes(QUOTA)))) {
      Lease lease = answer(store.grant(Duration.ofSeconds(60)));
      for (int i = 0; i < 20; i++) {
        put(store, key(SPACE, "k" + i), "v");
      }
      long guarded = put(store, key(SPACE, "guarded"), "v");
      assertThatThrownBy(() -> fill(store)).isInstanceOf(StoreException.Full.class);
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(SPACE), Watch.NOW, ear)) {
        ear.opened();
        done(store, Commit.when().delete(key(SPACE, "k0")));
        assertThat(ear.changed().changes()).containsExactly(new Change.Deleted(key(SPACE, "k0")));
        done(
            store,
            Commit.when()
                .unchanged(key(SPACE, "guarded"), guarded)
                .delete(key(SPACE, "k1"))
                .delete(key(SPACE, "k2")));
        refused(store, Commit.when().absent(key(SPACE, "guarded")).delete(key(SPACE, "k3")));
        assertThat(read(store, key(SPACE, "k3"))).isPresent();
      }

      List<CompletionStage<Outcome>> puts = new ArrayList<>();
      List<CompletionStage<Outcome>> deletes = new ArrayList<>();
      for (int i = 4; i < 20; i++) {
        puts.add(
            store.commit(Commit.when().put(key(SPACE, "new" + i), bytes("v")).build()));
        deletes.add(store.commit(Commit.when().delete(key(SPACE, "k" + i)).build()));
      }
      for (CompletionStage<Outcome> each : deletes) {
        assertThat(answer(each)).isInstanceOf(Outcome.Done.class);
      }
      for (CompletionStage<Outcome> each : puts) {
        assertThatThrownBy(() -> answer(each)).isInstanceOf(StoreException.Full.class);
      }
      assertThat(read(store, key(SPACE, "k4"))).isEmpty();
      assertThat(answer(store.renew(lease.id()))).isTrue();
      assertThatThrownBy(() -> answer(store.grant(Duration.ofSeconds(60))))
          .isInstanceOf(StoreException.Full.class);
      answer(store.revoke(lease.id()));

      etcd.gateway().compact();
      etcd.gateway().defragmentAndDisarm();
      long after = put(store, key(SPACE, "small"), "after");
      assertThat(Revision.epoch(after))
          .as("nothing was taken for a lost data set")
          .isEqualTo(1);
    }
  }

  @Test
  void a_dedicated_etcd_that_is_full_becomes_writable_again_by_itself() {
    try (EtcdServer etcd = EtcdServer.start(EtcdOptions.DEFAULT.quotaBytes(QUOTA));
        Logged logged = Logged.begin();
        Store filling = EtcdStore.connect(
            EtcdSettings.of(etcd.uri(), "ns").room(Room.SHARED.quotaBytes(QUOTA)))) {
      assertThatThrownBy(() -> fill(filling)).isInstanceOf(StoreException.Full.class);
      assertThat(answer(filling.status()).fullness()).isEqualTo(1);
      try (Store store = EtcdStore.connect(EtcdSettings.of(etcd.uri(), "ns")
              .timeouts(QUICK)
              .room(new Room(true, Duration.ofSeconds(3), QUOTA)));
          Store beside = EtcdStore.connect(EtcdSettings.of(etcd.uri(), "ns")
              .timeouts(QUICK)
              .room(new Room(true, Duration.ofSeconds(3), QUOTA)))) {
        await("the alarm is disarmed")
            .atMost(Duration.ofSeconds(60))
            .ignoreExceptionsInstanceOf(StoreException.class)
            .until(() -> put(store, key(SPACE, "small"), "after") > 0);
        assertThat(answer(beside.status()).fullness()).isLessThan(0.5);
        assertThat(logged.lines(Level.INFO, "etcd: compacted, defragmented, and disarmed"))
            .isNotEmpty();
      }
    }
  }

  @Test
  void a_dedicated_cluster_that_is_full_becomes_writable_again_though_a_member_is_down() {
    try (EtcdCluster cluster = EtcdCluster.start(EtcdOptions.DEFAULT.quotaBytes(QUOTA));
        Store filling = EtcdStore.connect(
            EtcdSettings.of(cluster.uri(), "ns").room(Room.SHARED.quotaBytes(QUOTA)))) {
      assertThatThrownBy(() -> fill(filling)).isInstanceOf(StoreException.Full.class);
      cluster.member(cluster.leader()).process().kill();
      await("the others elect a leader")
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptionsInstanceOf(IllegalStateException.class)
          .until(() -> cluster.leader() >= 0);
      try (Store store = EtcdStore.connect(EtcdSettings.of(cluster.uri(), "ns")
          .timeouts(QUICK)
          .room(new Room(true, Duration.ofSeconds(3), QUOTA)))) {
        await("the alarm is disarmed")
            .atMost(Duration.ofSeconds(60))
            .ignoreExceptionsInstanceOf(StoreException.class)
            .until(() -> put(store, key(SPACE, "small"), "after") > 0);
      }
    }
  }

  @Test
  void an_etcd_that_is_full_of_what_is_needed_is_not_defragmented_again_and_again() {
    try (EtcdServer etcd = EtcdServer.start(EtcdOptions.DEFAULT.quotaBytes(QUOTA));
        Logged logged = Logged.begin();
        Store store = EtcdStore.connect(EtcdSettings.of(etcd.uri(), "ns")
            .timeouts(QUICK)
            .room(new Room(true, Duration.ofSeconds(3), QUOTA)))) {
      List<Key> keys = new ArrayList<>();
      assertThatThrownBy(() -> {
            for (int i = 0; i < 10_000; i++) {
              keys.add(key(SPACE, "live" + i));
              putOrUnknown(store, keys.getLast());
            }
          })
          .isInstanceOf(StoreException.Full.class);
      await("the operator is told")
          .atMost(Duration.ofSeconds(30))
          .until(() -> !logged.lines(Level.WARN, "etcd is full:").isEmpty());
      long rounds = etcd.gateway().metric(COMPACTIONS);
      await("further rounds")
          .atMost(Duration.ofSeconds(30))
          .until(() -> etcd.gateway().metric(COMPACTIONS) >= rounds + 3);
      assertThat(etcd.gateway().metric("etcd_disk_backend_defrag_duration_seconds_count"))
          .as(
              "a member that is defragmented serves nobody, and nothing is gained after the first time")
          .isLessThanOrEqualTo(1);
      assertThat(logged.lines(Level.WARN, "etcd is full:")).hasSize(1);

      keys.forEach(key -> done(store, Commit.when().delete(key)));
      await("the alarm is disarmed")
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptionsInstanceOf(StoreException.class)
          .until(() -> put(store, key(SPACE, "small"), "after") > 0);
    }
  }

  @Test
  void a_dedicated_etcd_is_compacted_but_for_what_is_kept() {
    Duration keep = Duration.ofSeconds(3);
    try (EtcdServer etcd = EtcdServer.start();
        Store store = EtcdStore.connect(EtcdSettings.of(etcd.uri(), "ns")
            .timeouts(QUICK)
            .room(new Room(true, keep, 1L << 30)));
        Store beside = EtcdStore.connect(EtcdSettings.of(etcd.uri(), "ns")
            .timeouts(QUICK)
            .room(new Room(true, keep, 1L << 30)))) {
      long old = put(store, key(SPACE, "a"), "1");
      put(store, key(SPACE, "a"), "2");
      await("history is compacted")
          .atMost(Duration.ofSeconds(60))
          .until(() -> isCompacted(beside, old));
      long fresh = put(store, key(SPACE, "a"), "3");
      long next = put(store, key(SPACE, "a"), "4");
      WatchProbe ear = new WatchProbe();
      try (Watch watch = beside.watch(Feed.of(SPACE), fresh, ear)) {
        ear.opened();
        assertThat(ear.changed().revision()).isEqualTo(next);
      }
    }
  }

  /** Whether a watch from there on is told that it cannot be. */
  private static boolean isCompacted(Store store, long after) {
    WatchProbe ear = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(SPACE), after, ear)) {
      ear.opened();
      return ear.next(WatchProbe.Event.class) instanceof WatchProbe.Event.Compacted;
    }
  }
}
