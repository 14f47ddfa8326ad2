package io.belfry.server.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belfry.server.verb.RunningServer.Reply;
import io.belfry.testkit.engine.EtcdOptions;
import io.belfry.testkit.engine.EtcdServer;
import io.belfry.testkit.engine.RedisCluster;
import io.belfry.testkit.engine.RedisSentinels;
import io.belfry.testkit.engine.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Jobs that try to call the engine's servers and the other nodes of the cluster (SSRF), with real engines. */
class OwnPortsTest {
  private static final String TASKS = "/api/v1/namespaces/default/tasks";
  private static final String REFUSED = "is a port of Belfry or of its engine";

  @TempDir
  Path data;

  private static JsonNode called(RunningServer server, String token, String url) {
    Reply made = server.ask(
        "POST",
        TASKS,
        "{\"executor\": {\"type\": \"http\", \"url\": \"" + url + "\"}, \"retry\": {\"max\": 0}}",
        token);
    assertThat(made.status()).as(made.body().toString()).isEqualTo(201);
    String task = TASKS + "/" + made.body().path("id").asString();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> server.ask("GET", task, "", token).body().has("ended"));
    return server.ask("GET", task, "", token).body();
  }

  private static void assertRefused(RunningServer server, String token, int port) {
    for (String host : List.of("127.0.0.1", "127.0.0.2", "localhost", "[::1]")) {
      String url = "http://" + host + ":" + port + "/";
      assertThat(called(server, token, url).path("error").asString()).as(url).contains(REFUSED);
    }
  }

  private static void awaitReady(RunningServer server) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> server.ask("GET", "/readyz", "", "").status() == 200);
  }

  /** A worker node, which makes all calls, and a scheduler node. */
  @Test
  void a_job_does_not_reach_the_other_nodes() {
    try (RedisServer redis = RedisServer.start();
        RunningServer working = new RunningServer(data.resolve("a"), "store.uri=" + redis.uri())) {
      awaitReady(working);
      String token = working.admin();
      int port;
      try (RunningServer deciding = new RunningServer(
          data.resolve("b"), "store.uri=" + redis.uri(), "node.roles=scheduler")) {
        port = Integer.parseInt(deciding.address().replaceAll(".*:", ""));
        await()
            .atMost(Duration.ofSeconds(5))
            .untilAsserted(() -> assertThat(called(working, token, deciding.address() + "/healthz")
                    .path("error")
                    .asString())
                .contains(REFUSED));
        assertRefused(working, token, port);
        assertRefused(working, token, redis.port());
      }
      // It has left: what listens there now is somebody else's.
      await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(() -> assertThat(called(working, token, "http://127.0.0.1:" + port + "/")
                  .path("error")
                  .asString())
              .doesNotContain(REFUSED));
    }
  }

  @Test
  void a_job_does_not_reach_etcd_whose_address_has_no_port() {
    assumeTrue(isFree(2379), "the port that etcd has by default is taken");
    EtcdOptions usual = EtcdOptions.DEFAULT
        .flag("listen-client-urls", "http://127.0.0.1:2379")
        .flag("advertise-client-urls", "http://127.0.0.1:2379");
    try (EtcdServer etcd = EtcdServer.start(usual);
        RunningServer server = new RunningServer(data, "store.uri=etcd://127.0.0.1")) {
      awaitReady(server);
      assertThat(etcd.process().isRunning()).isTrue();
      assertRefused(server, server.admin(), 2379);
    }
  }

  private static boolean isFree(int port) {
    try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  /** One Sentinel is configured; the primary, its replicas, the other Sentinels and a later replica are discovered. */
  @Test
  void a_job_does_not_reach_what_sentinel_names() {
    try (RedisSentinels redis = RedisSentinels.start()) {
      List<String> sentinels =
          Arrays.stream(redis.uri().split("//|,|/belfry$")).skip(1).toList();
      try (RunningServer server = new RunningServer(
          data, "store.uri=redis+sentinel://" + sentinels.getFirst() + "/belfry")) {
        awaitReady(server);
        String token = server.admin();
        Stream.concat(
                sentinels.stream().map(each -> Integer.parseInt(each.replaceAll(".*:", ""))),
                Stream.concat(
                    Stream.of(redis.wirePort()), redis.replicas().stream().map(RedisServer::port)))
            .forEach(port -> assertRefused(server, token, port));
        try (RedisServer late =
            RedisServer.start("--replicaof", "127.0.0.1", "" + redis.wirePort())) {
          await()
              .atMost(Duration.ofSeconds(20))
              .untilAsserted(() -> assertThat(
                      called(server, token, "http://127.0.0.1:" + late.port() + "/")
                          .path("error")
                          .asString())
                  .contains(REFUSED));
        }
      }
    }
  }

  @Test
  void a_job_does_not_reach_the_nodes_of_a_redis_cluster() {
    try (RedisCluster redis = RedisCluster.start();
        RunningServer server = new RunningServer(
            data,
            "store.uri=redis+cluster://127.0.0.1:" + redis.nodes().getFirst().port(),
            "store.acknowledgements=0")) {
      awaitReady(server);
      redis.nodes().forEach(node -> assertRefused(server, server.admin(), node.port()));
    }
  }

  /** Leader election on a separate engine. */
  @Test
  void a_job_does_not_reach_the_engine_of_elections() {
    try (RedisServer redis = RedisServer.start();
        EtcdServer etcd = EtcdServer.start();
        RunningServer server =
            new RunningServer(data, "store.uri=" + redis.uri(), "election.uri=" + etcd.uri())) {
      awaitReady(server);
      assertRefused(server, server.admin(), redis.port());
      assertRefused(server, server.admin(), etcd.port());
    }
  }
}
