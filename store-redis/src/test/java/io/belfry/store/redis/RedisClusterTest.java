package io.belfry.store.redis;

import static io.belfry.testkit.contract.Subject.ORDERED;
import static io.belfry.testkit.contract.Subject.WATCHED;
import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static io.belfry.testkit.contract.Subject.scanAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.store.Commit;
import io.belfry.store.Endpoint;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Revision;
import io.belfry.store.Scan;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.RedisCluster;
import io.belfry.testkit.engine.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A namespace lives in one slot of a Cluster, and follows it. */
class RedisClusterTest {
  private static @Nullable RedisCluster cluster;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start();
  }

  @AfterAll
  static void stop() {
    cluster().close();
  }

  private static RedisCluster cluster() {
    if (cluster == null) {
      throw new IllegalStateException("The cluster is started before all tests.");
    }
    return cluster;
  }

  private static RedisSettings settings(String namespace) {
    return RedisSettings.at(cluster().uri())
        .namespace(namespace)
        .acknowledgements(0)
        .timeouts(new RedisSettings.Timeouts(
            Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(3)));
  }

  @Test
  void all_nodes_are_known_by_their_addresses_although_one_was_named() {
    String one = "redis+cluster://127.0.0.1:" + cluster().nodes().getFirst().port();
    try (RedisStore store =
        RedisStore.connect(RedisSettings.at(one).namespace("known").acknowledgements(0))) {
      assertThat(store.endpoints())
          .extracting(Endpoint::port)
          .containsAll(cluster().nodes().stream().map(RedisServer::port).toList());
    }
  }

  @Test
  void namespaces_spread_over_the_nodes_and_each_works() {
    var owners = new ArrayList<Integer>();
    for (int i = 0; i < 12; i++) {
      String namespace = "spread-" + i;
      owners.add(cluster().ownerOf("{belfry:" + namespace + "}m").port());
      try (RedisStore store = RedisStore.connect(settings(namespace))) {
        WatchProbe ear = new WatchProbe();
        try (Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, ear)) {
          ear.opened();
          long revision = put(store, key(WATCHED, "a"), namespace);
          assertThat(ear.changed().revision()).isEqualTo(revision);
        }
        assertThat(read(store, key(WATCHED, "a"))).contains(namespace);
      }
    }
    assertThat(owners.stream().distinct().count()).isGreaterThan(1);
  }

  @Test
  void without_replicas_it_must_be_said_that_none_acknowledges() {
    assertThatThrownBy(() -> RedisStore.connect(RedisSettings.at(cluster().uri())
            .namespace("majority")
            .timeouts(new RedisSettings.Timeouts(
                Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(2)))))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("must be acknowledged by 1 replicas");
  }

  /**
   * Protects the probe in {@code begin.lua}: while a slot moves, an access to a key that has moved fails in the middle of a
   * script, and an absent key cannot be told from a moved one.
   */
  @Test
  void a_slot_that_moves_stops_the_namespace_half_applies_nothing_and_then_goes_on() {
    String namespace = "moving";
    try (RedisStore store = RedisStore.connect(settings(namespace))) {
      for (int i = 0; i < 50; i++) {
        put(store, key(ORDERED, "k" + i), "v" + i);
      }
      long before = put(store, key(ORDERED, "last"), "x");
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, ear)) {
        ear.opened();
        RedisCluster.Move move = cluster().move("{belfry:" + namespace + "}m");
        move.begin();
        move.moveKeys(20);
        Commit commit = Commit.when()
            .put(key(ORDERED, "k1"), bytes("during"))
            .put(key(ORDERED, "new"), bytes("during"))
            .put(key(ORDERED, "k2"), bytes("during"))
            .build();
        assertThatThrownBy(() -> answer(store.commit(commit)))
            .isInstanceOf(StoreException.Unavailable.class);
        move.finish();

        long after = putAfterMove(store);
        assertThat(Revision.epoch(after)).isGreaterThan(Revision.epoch(before));
        ear.awaitCompacted();
        assertThat(cluster().ownerOf("{belfry:" + namespace + "}m").port())
            .isEqualTo(move.to().port());
      }
      assertThat(read(store, key(ORDERED, "k1"))).contains("v1");
      assertThat(read(store, key(ORDERED, "k2"))).contains("v2");
      assertThat(read(store, key(ORDERED, "new"))).isEmpty();
      assertThat(scanAll(store, Scan.all(ORDERED))).hasSize(51);
    }
  }

  private static long putAfterMove(RedisStore store) {
    return org.awaitility.Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(StoreException.class)
        .until(() -> put(store, key(WATCHED, "after"), "x"), revision -> revision > 0);
  }

  @Test
  void commits_go_on_in_order_while_their_slot_moves_away() {
    String namespace = "busy";
    try (RedisStore store = RedisStore.connect(settings(namespace)
        .timeouts(new RedisSettings.Timeouts(
            Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(60))))) {
      put(store, key(ORDERED, "x"), "x");
      RedisCluster.Move move = cluster().move("{belfry:" + namespace + "}m");
      List<CompletionStage<Outcome>> answers = new ArrayList<>();
      Key hot = key(ORDERED, "hot");
      for (int i = 0; i < 300; i++) {
        if (i == 150) {
          move.begin();
        }
        answers.add(store.commit(Commit.when()
            .put(hot, bytes("" + i))
            .put(key(ORDERED, "k" + i), bytes("v"))
            .build()));
      }
      move.finish();
      answers.forEach(each -> assertThat(answer(each)).isInstanceOf(Outcome.Done.class));
      assertThat(read(store, hot)).contains("299");
      assertThat(scanAll(store, Scan.all(ORDERED))).hasSize(302);
    }
  }
}
