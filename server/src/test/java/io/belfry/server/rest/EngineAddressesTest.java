package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.server.verb.RunningServer;
import io.belfry.server.verb.RunningServer.Reply;
import io.belfry.testkit.engine.EtcdServer;
import io.belfry.testkit.engine.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose engine is taken away: what it answers tells nobody but admins how the engine is reached. */
class EngineAddressesTest {
  private static final String NS = "/api/v1/namespaces/default";
  private static final String TASK = """
      {"executor": {"type": "http", "url": "http://service.test/", "method": "GET"}, "in": "1h"}""";
  private static final Map<String, String> BODIES = Map.of(
      "submitTask", TASK,
      "changeJobs", "{\"action\": \"enable\", \"ids\": [\"stays\"]}",
      "triggerJob", "{}",
      "login", "{\"token\": \"bft_0123456789012345678901234567890123456789\"}");

  @TempDir
  Path data;

  @Test
  void redis_that_is_killed() {
    try (RedisServer redis = RedisServer.start(
            Optional.of("admin secret"),
            List.of(),
            List.of(
                "user default on nopass ~* &* +@all",
                "user admin on >secret ~* &* +@all",
                "user clockmaker on >mainspring ~* &* +@all"));
        RunningServer server = new RunningServer(
            data,
            "store.uri=" + redis.uri(),
            "store.user=clockmaker",
            "store.password=mainspring",
            "metrics.anonymous=true")) {
      Map<String, String> tokens = tokens(server);
      redis.kill();
      tellsNoStranger(server, tokens, secret(redis), ":" + redis.port());
    }
  }

  @Test
  void redis_that_refuses_the_password() {
    try (RedisServer redis = RedisServer.start(
            Optional.of("admin secret"),
            List.of(),
            List.of(
                "user default on nopass ~* &* +@all",
                "user admin on >secret ~* &* +@all",
                "user clockmaker on >mainspring ~* &* +@all"));
        RunningServer server = new RunningServer(
            data,
            "store.uri=" + redis.uri(),
            "store.user=clockmaker",
            "store.password=mainspring")) {
      Map<String, String> tokens = tokens(server);
      redis.ask("ACL", "SETUSER", "clockmaker", "resetpass", ">another");
      redis.ask("CLIENT", "KILL", "USER", "clockmaker");
      tellsNoStranger(server, tokens, secret(redis), "WRONGPASS");
    }
  }

  @Test
  void etcd_that_is_killed() {
    try (EtcdServer etcd = EtcdServer.start();
        RunningServer server = new RunningServer(data, "store.uri=" + etcd.uri())) {
      Map<String, String> tokens = tokens(server);
      etcd.process().kill();
      tellsNoStranger(server, tokens, List.of("127.0.0.1", ":" + etcd.port()), ":" + etcd.port());
    }
  }

  private static List<String> secret(RedisServer redis) {
    return List.of(
        "127.0.0.1", ":" + redis.port(), "redis://", "clockmaker", "mainspring", "WRONGPASS");
  }

  private static Map<String, String> tokens(RunningServer server) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> server.ask("GET", "/readyz", "", "").status() == 200);
    assertThat(server
            .put(
                NS + "/jobs/stays",
                "{\"executor\": {\"type\": \"http\", \"url\": \"http://service.test/\"}}")
            .status())
        .isEqualTo(201);
    var all = new LinkedHashMap<String, String>();
    all.put("anonymous", "");
    for (String role : List.of("viewer", "operator")) {
      Reply made = server.post(NS + "/tokens", "{\"name\": \"t\", \"role\": \"" + role + "\"}");
      all.put(role, made.body().path("token").asString());
    }
    return all;
  }

  /** Every route is asked: at once, when calls still wait for the engine, and when it is known to be away. */
  private static void tellsNoStranger(
      RunningServer server, Map<String, String> tokens, List<String> secret, String cause) {
    Set<String> told = ConcurrentHashMap.newKeySet();
    var refused = new AtomicInteger();
    askAll(server, tokens, secret, told, refused);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> server.ask("GET", "/readyz", "", "").status() == 503);
    askAll(server, tokens, secret, told, refused);
    assertThat(told).isEmpty();
    assertThat(refused.get()).as("answers because of the engine").isGreaterThan(10);
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(
                server.post(NS + "/tasks", TASK).body().path("message").asString())
            .as("admins are told")
            .contains(" Cause: ")
            .contains(cause));
  }

  /** All at once, because each waits for an engine that does not answer. */
  private static void askAll(
      RunningServer server,
      Map<String, String> tokens,
      List<String> secret,
      Set<String> told,
      AtomicInteger refused) {
    var asking = new ArrayList<Future<?>>();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Route route : server.api().routes()) {
        if (!route.name().equals("events")) { // a stream without end, which asks no engine
          tokens.forEach((who, token) -> asking.add(callers.submit(() -> {
            Reply reply = server.ask(
                route.method().name(), path(route), BODIES.getOrDefault(route.name(), ""), token);
            refused.addAndGet(reply.status() == 503 ? 1 : 0);
            String text = (reply.body() + " " + reply.headers()).replace(server.address(), "");
            if (secret.stream().anyMatch(text::contains)) {
              told.add(who + " " + route.name() + " " + reply.status() + " " + reply.body());
            }
          })));
        }
      }
    }
    assertThat(asking).allSatisfy(each -> assertThat(each.state()).isEqualTo(Future.State.SUCCESS));
  }

  private static String path(Route route) {
    return route
        .path()
        .replace("{ns}", "default")
        .replace("{job}", "stays")
        .replace("{task}", "T-0-0")
        .replaceAll("\\{\\w+}", "nothing-here");
  }
}
