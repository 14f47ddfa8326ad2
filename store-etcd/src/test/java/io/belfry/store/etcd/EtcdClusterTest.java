package io.belfry.store.etcd;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.scanAll;
import static io.belfry.testkit.contract.Subject.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.EtcdCluster;
import io.belfry.testkit.engine.EtcdOptions;
import io.belfry.testkit.engine.EtcdServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three members: one is killed, one is paused, two are gone. */
@Timeout(240)
class EtcdClusterTest {
  private static final Space SPACE = Space.plain("s").inOrder().watchedTogether();
  private static final int WRITERS = 8;
  private static final int EACH = 150;

  private static EtcdCluster cluster;
  private static int namespaces;

  @BeforeAll
  static void startCluster() {
    cluster = EtcdCluster.start(EtcdOptions.DEFAULT);
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @BeforeEach
  void freshNamespace() {
    namespaces++;
  }

  private static EtcdSettings settings() {
    return EtcdSettings.of(cluster.uri(), "ns" + namespaces);
  }

  @Test
  void nothing_acknowledged_is_lost_or_doubled_when_the_leader_is_killed_under_writers()
      throws Exception {
    EtcdServer leader = cluster.member(cluster.leader());
    writersSurvive(() -> leader.process().kill(), () -> leader.process().start());
  }

  @Test
  void nothing_acknowledged_is_lost_or_doubled_when_the_leader_is_paused_under_writers()
      throws Exception {
    EtcdServer leader = cluster.member(cluster.leader());
    writersSurvive(() -> leader.process().pause(), () -> leader.process().resume());
  }

  /** Ports for clients and for members: whoever keeps calls away from the engine has to know all of them. */
  @Test
  void all_members_are_known_by_their_addresses_although_one_was_named() {
    String one = cluster.uri().split(",", 2)[0];
    try (Store store = EtcdStore.connect(EtcdSettings.of(one, "known"))) {
      await().until(() -> store.endpoints().size() == 6);
      assertThat(store.endpoints())
          .containsAll(EtcdSettings.of(cluster.uri(), "known").endpoints());
    }
  }

  @Test
  void the_member_we_are_connected_to_may_be_paused() {
    EtcdServer ours = cluster.member(0);
    try (Store store = EtcdStore.connect(settings())) {
      Lease lease = answer(store.grant(Duration.ofSeconds(20)));
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(SPACE), Watch.NOW, ear)) {
        ear.opened();
        put(store, key(SPACE, "before"), "1");
        ear.changed();
        ours.process().pause();
        try {
          Key key = key(SPACE, "while one is silent");
          Persistent.commit(
              store, Commit.when().absent(key).put(key, bytes("1")).build());
          assertThat(ear.changed().changes())
              .singleElement()
              .satisfies(change -> assertThat(change.key()).isEqualTo(key));
          await("the lease is renewed").until(() -> renewed(store, lease));
          assertThat(scanAll(store, Scan.all(SPACE))).hasSize(2);
        } finally {
          ours.process().resume();
        }
      }
    }
  }

  @Test
  void without_a_majority_nothing_is_acknowledged_and_nothing_hangs_and_then_it_resumes() {
    try (Store store = EtcdStore.connect(settings())) {
      put(store, key(SPACE, "a"), "1");
      cluster.member(1).process().kill();
      cluster.member(2).process().kill();
      Key key = key(SPACE, "b");
      Commit commit = Commit.when().absent(key).put(key, bytes("2")).build();
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> answer(store.commit(commit)))
            .isInstanceOfAny(StoreException.Unknown.class, StoreException.Unavailable.class);
      }
      assertThatThrownBy(() -> answer(store.get(List.of(key))))
          .isInstanceOf(StoreException.Unavailable.class);
      cluster.member(1).process().start();
      cluster.member(2).process().start();
      Persistent.commit(store, commit);
      assertThat(scanAll(store, Scan.all(SPACE))).hasSize(2);
    }
  }

  private static boolean renewed(Store store, Lease lease) {
    try {
      return answer(store.renew(lease.id()));
    } catch (StoreException.Unknown | StoreException.Unavailable e) {
      return false;
    }
  }

  /** Many write, each key once; a third of the way the fault strikes; all keys are there once and were heard once. */
  private void writersSurvive(Runnable fault, Runnable healing) throws Exception {
    var third = new CountDownLatch(WRITERS * EACH / 3);
    WatchProbe ear = new WatchProbe();
    try (Store store = EtcdStore.connect(settings());
        Watch watch = store.watch(Feed.of(SPACE), Watch.NOW, ear);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      ear.opened();
      var writers = new ArrayList<Future<?>>();
      for (int writer = 0; writer < WRITERS; writer++) {
        int w = writer;
        writers.add(threads.submit(() -> write(store, w, third)));
      }
      assertThat(third.await(60, TimeUnit.SECONDS)).isTrue();
      fault.run();
      try {
        for (Future<?> each : writers) {
          each.get(120, TimeUnit.SECONDS);
        }
      } finally {
        healing.run();
      }
      List<Entry> all = scanAll(store, Scan.all(SPACE));
      assertThat(all).hasSize(WRITERS * EACH);
      assertThat(all)
          .allSatisfy(entry -> assertThat(text(entry)).isEqualTo(entry.key().text()));
      heardOnce(ear);
    }
  }

  private static void write(Store store, int writer, CountDownLatch third) {
    for (int i = 0; i < EACH; i++) {
      Key key = key(SPACE, writer + "/" + i);
      Persistent.commit(
          store, Commit.when().absent(key).put(key, bytes(key.text())).build());
      third.countDown();
    }
  }

  private static void heardOnce(WatchProbe ear) {
    Set<Key> heard = new HashSet<>();
    long last = 0;
    while (heard.size() < WRITERS * EACH) {
      WatchProbe.Event.Changed word = ear.changed();
      assertThat(word.revision()).isGreaterThan(last);
      last = word.revision();
      word.changes().forEach(change -> assertThat(heard.add(change.key())).isTrue());
    }
  }
}
