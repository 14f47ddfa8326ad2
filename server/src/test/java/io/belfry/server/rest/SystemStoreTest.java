package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import io.belfry.server.verb.RunningServer;
import io.belfry.server.verb.RunningServer.Reply;
import io.belfry.testkit.PrivateFile;
import io.belfry.testkit.engine.RedisServer;
import io.belfry.testkit.engine.TcpProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server's own records lie on an engine that may be away, like those of namespaces: nobody waits for it once that is known. */
class SystemStoreTest {
  private static final String NS = "/api/v1/namespaces/default";
  private static final String JOB =
      "{\"executor\": {\"type\": \"local\", \"handler\": \"h\"}, \"trigger\": {\"every\": \"1h\"}}";
  private static final Duration AT_ONCE = Duration.ofSeconds(1);
  private static final Duration NOTICED = Duration.ofSeconds(10);
  private static final Duration RECOVERED = Duration.ofSeconds(20);

  /** Each of them writes or reads the server's own records; saving a job writes into the audit log. */
  private static final List<Function<RunningServer, Reply>> REQUESTS = List.of(
      server -> server.put(NS + "/jobs/nightly", JOB),
      server -> server.post(NS + "/tokens", "{\"name\": \"ci\", \"role\": \"viewer\"}"),
      server ->
          server.put(NS + "/secrets/s", "{\"value\": \"hidden\", \"destinations\": [\"script\"]}"),
      server -> server.get(NS + "/audit"));

  private final Time time = Time.system();

  @TempDir
  Path data;

  private Reply atOnce(RunningServer server, Function<RunningServer, Reply> request) {
    long begun = time.nanos();
    Reply reply = request.apply(server);
    assertThat(Duration.ofNanos(time.nanos() - begun)).isLessThan(AT_ONCE);
    return reply;
  }

  private static String check(RunningServer server, String name) {
    return server
        .ask("GET", "/readyz", "", "")
        .body()
        .path("checks")
        .valueStream()
        .filter(check -> check.path("name").asString().equals(name))
        .map(check -> check.path("detail").asString())
        .findFirst()
        .orElseThrow();
  }

  private static String metrics(RunningServer server) {
    return server.get("/metrics").body().path("text").asString();
  }

  @Test
  void requests_are_refused_at_once_while_the_engine_does_not_answer() throws Exception {
    Path key = data.resolve("secret.key");
    java.nio.file.Files.createDirectories(data);
    PrivateFile.write(key, java.util.Base64.getEncoder().encodeToString(new byte[32]));
    try (RedisServer redis = RedisServer.start();
        TcpProxy proxy = TcpProxy.to(redis.port());
        RunningServer server = new RunningServer(
            data, "store.uri=redis://127.0.0.1:" + proxy.port(), "secret.keyFile=" + key)) {
      await().atMost(RECOVERED).until(() -> server.ask("GET", "/readyz", "", "").status() == 200);
      REQUESTS.forEach(request -> assertThat(request.apply(server).status()).isLessThan(300));

      proxy.holdAll();
      await("the server's own store counts as away")
          .atMost(NOTICED)
          .untilAsserted(() -> assertThat(check(server, "system")).startsWith("writes fail: un"));
      await("known to be away for long enough")
          .atMost(NOTICED)
          .untilAsserted(() -> REQUESTS.forEach(request -> {
            Reply refused = atOnce(server, request);
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("retry-after")).isPresent();
          }));
      assertThat(metrics(server)).contains("belfry_engine_up{namespace=\"belfry.system\"} 0");

      proxy.release();
      await("everything is accepted again")
          .atMost(RECOVERED)
          .untilAsserted(() -> REQUESTS.forEach(
              request -> assertThat(request.apply(server).status()).isLessThan(300)));
      await().atMost(RECOVERED).until(() -> server.ask("GET", "/readyz", "", "").status() == 200);
      assertThat(metrics(server)).contains("belfry_engine_up{namespace=\"belfry.system\"} 1");
    }
  }
}
