package io.belfry.store.redis;

import static io.belfry.testkit.contract.Subject.PLAIN;
import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.belfry.model.time.Time;
import io.belfry.store.StoreException;
import io.belfry.testkit.engine.Ports;
import io.belfry.testkit.engine.RedisCluster;
import io.belfry.testkit.engine.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A master of a Cluster dies: how long commits stand still, by the number of its replicas. */
class RedisClusterFailoverTest {
  private static final int NODE_TIMEOUT_MILLIS = 2000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Time time = Time.system();

  private static RedisSettings settings(String uri, String namespace) {
    return RedisSettings.at(uri)
        .namespace(namespace)
        .timeouts(new RedisSettings.Timeouts(
            Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofMillis(1500)));
  }

  private Duration since(long start) {
    return Duration.ofNanos(time.nanos() - start);
  }

  /** Until a commit succeeds. */
  private Duration commitsAfter(RedisStore store, long start) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .ignoreExceptionsInstanceOf(StoreException.class)
        .until(() -> put(store, key(PLAIN, "a"), "2") > 0);
    return since(start);
  }

  /** Until the cluster itself could acknowledge again: a replica was promoted, and has a replica. */
  private Duration engineAfter(List<RedisServer> replicas, long start) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> replicas.stream()
            .anyMatch(each -> each.info("replication", "role").equals("master")
                && RedisCluster.replicasOnline(each) > 0));
    return since(start);
  }

  @Test
  void with_two_replicas_commits_go_on_as_soon_as_the_cluster_has_failed_over() {
    try (RedisCluster cluster = RedisCluster.start(2, NODE_TIMEOUT_MILLIS)) {
      String namespace = cluster.namespaceOfFirst("two-");
      try (LogLines log = new LogLines();
          RedisStore store = RedisStore.connect(settings(cluster.uri(), namespace))) {
        assertThat(log.at(Level.WARN)).isEmpty();
        put(store, key(PLAIN, "kept"), "1");
        long start = time.nanos();
        cluster.nodes().getFirst().kill();
        var engine = CompletableFuture.supplyAsync(() -> engineAfter(cluster.replicas(), start));
        Duration commits = commitsAfter(store, start);
        Duration own = engine.join();
        System.out.println("Redis Cluster: failed over after " + own.toMillis()
            + " ms, commits again after " + commits.toMillis() + " ms (cluster-node-timeout "
            + NODE_TIMEOUT_MILLIS + " ms)");
        assertThat(commits).isLessThan(own.plusSeconds(2));
        assertThat(read(store, key(PLAIN, "kept"))).contains("1");
      }
    }
  }

  @Test
  void with_one_replica_it_is_said_that_commits_stop_while_either_is_down_and_they_do() {
    try (RedisCluster cluster = RedisCluster.start(1, NODE_TIMEOUT_MILLIS)) {
      String namespace = cluster.namespaceOfFirst("one-");
      try (LogLines log = new LogLines();
          RedisStore store = RedisStore.connect(settings(cluster.uri(), namespace))) {
        assertThat(log.at(Level.WARN))
            .anyMatch(line -> line.contains("1 of 1 replicas must acknowledge")
                && line.contains("commits stop for as long as any of the servers is down"));
        assertThat(answer(store.status()).durability())
            .contains("commits stop while any server is down");
        put(store, key(PLAIN, "a"), "1");
        RedisServer replica = cluster.replicas().getFirst();
        replica.kill();
        for (int i = 0; i < 2; i++) {
          assertThatThrownBy(() -> put(store, key(PLAIN, "a"), "2"))
              .isInstanceOfAny(StoreException.Unknown.class, StoreException.Unavailable.class)
              .hasMessageContaining("acknowledged");
        }
        replica.startAgain();
        commitsAfter(store, time.nanos());
      }
    }
  }

  /** A node that is cut off from the others still names the old owner of a slot, and must not be the only one that is asked. */
  @Test
  void a_node_with_a_stale_view_does_not_hold_up_the_store() {
    List<Integer> buses = Ports.free(2);
    try (RedisCluster cluster = RedisCluster.start();
        RedisServer stale = node(buses.getFirst());
        RedisServer dead = node(buses.getLast())) {
      dead.ask("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
      stale.ask("CLUSTER", "MEET", "127.0.0.1", "" + dead.port(), "" + buses.getLast());
      await()
          .atMost(PATIENCE)
          .until(() -> stale.ask("CLUSTER", "SLOTS").contains("" + dead.port()));
      dead.kill();
      String uri = cluster.uri().replace("://", "://127.0.0.1:" + stale.port() + ",");
      try (RedisStore store = RedisStore.connect(settings(uri, "stale").acknowledgements(0))) {
        put(store, key(PLAIN, "a"), "1");
      }
    }
  }

  private static RedisServer node(int bus) {
    return RedisServer.start(
        Optional.empty(),
        List.of("--cluster-enabled", "yes", "--cluster-port", "" + bus),
        List.of());
  }
}
