package io.belfry.tests.flood;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.belfry.model.time.Time;
import io.belfry.testkit.engine.ServerProcess;
import io.belfry.tests.cluster.Rest;
import io.belfry.tests.cluster.ServerNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A viewer asks for large answers, many at once, and reads them slowly or not at all, of a server with a heap of 256 MiB: jobs whose payloads are
 * small in the store and large in an answer. The server goes on: health checks are answered within a second, a job fires every second, another
 * token reads what it wants, and the memory comes back.
 */
@Tag("alone")
class AnswerFloodTest {
  private static final Time TIME = Time.system();
  private static final int JOBS = 600;
  private static final int PAYLOAD_CHARS = 250_000;
  private static final int READERS = 60;
  private static final Duration ATTACK = Duration.ofSeconds(20);
  private static final Duration PROBE = Duration.ofMillis(100);
  private static final Duration HEALTH_MAX = Duration.ofSeconds(1);
  private static final Duration GAP_MAX = Duration.ofSeconds(3);
  private static final String NUMBER = "[0-9.E+-]+";

  private final Queue<Long> fires = new ConcurrentLinkedQueue<>();

  @Test
  void a_viewer_who_asks_for_large_answers_and_reads_them_slowly_ends_and_stalls_nothing()
      throws Exception {
    HttpServer target =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    target.createContext("/", exchange -> {
      fires.add(TIME.nanos());
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    });
    target.start();
    try (ServerNode server = ServerNode.launch(
            "server",
            "answers",
            Map.of(),
            List.of("--port", "0", "--set", "executors.http.allow=127.0.0.1"),
            ServerNode.program("-Xmx256m"),
            ServerProcess.freshDirectory("answers"))
        .awaitReady()) {
      String url = server.url();
      try (Rest admin =
          new Rest(Files.readString(server.data().resolve("admin.token")).strip())) {
        save(admin, url, target.getAddress().getPort());
        await().atMost(Duration.ofSeconds(20)).until(() -> fires.size() > 2);
        attack(admin, url);
        assertThat(server.process().isRunning()).as("the server runs").isTrue();
        await()
            .atMost(Duration.ofSeconds(30))
            .untilAsserted(() -> assertThat(answerBytes(admin, url)).isZero());
        assertThat(countJobs(admin, url)).isEqualTo(JOBS + 1);
      }
    } finally {
      target.stop(0);
    }
  }

  private static void save(Rest admin, String url, int port) {
    String payload = "\"" + "a".repeat(PAYLOAD_CHARS) + "\"";
    for (int i = 0; i < JOBS; i++) {
      String job =
          "{\"trigger\": \"none\", \"executor\": {\"type\": \"http\", \"url\": \"http://127.0.0.1/\"}, \"payload\": "
              + payload + "}";
      Rest.Reply saved = admin.put(url + Rest.NS + "/jobs/large" + i, job);
      assertThat(saved.status()).as("%s", saved).isEqualTo(201);
    }
    String tick =
        "{\"trigger\": {\"every\": \"1s\"}, \"executor\": {\"type\": \"http\", \"url\": \"http://127.0.0.1:"
            + port + "/\"}}";
    Rest.Reply saved = admin.put(url + Rest.NS + "/jobs/tick", tick);
    assertThat(saved.status()).as("%s", saved).isEqualTo(201);
  }

  private void attack(Rest admin, String url) {
    String viewer = admin
        .post(url + Rest.NS + "/tokens", "{\"name\": \"viewer\", \"role\": \"viewer\"}")
        .body()
        .path("token")
        .asString("");
    assertThat(viewer).isNotEmpty();
    List<String> paths = List.of(
        Rest.NS + "/jobs?limit=1000",
        Rest.NS + "/jobs?limit=1000&sort=-name",
        Rest.NS + "/jobs/large1",
        Rest.NS + "/jobs?limit=1000&q=large");
    var health = new ArrayList<Duration>();
    int unhealthy = 0;
    fires.clear();
    long begun = TIME.nanos();
    int other;
    Map<String, Integer> statuses;
    try (var readers = new SlowReaders(url, viewer, paths, READERS)) {
      while (TIME.nanos() - begun < ATTACK.toNanos()) {
        long asked = TIME.nanos();
        unhealthy += isHealthy(URI.create(url).getPort()) ? 0 : 1;
        health.add(Duration.ofNanos(TIME.nanos() - asked));
        LockSupport.parkNanos(PROBE.toNanos());
      }
      other = admin.get(url + Rest.NS + "/jobs?limit=1").status();
      statuses = readers.statuses();
    }
    Duration gap = longestGap(begun);
    System.out.println(
        "AnswerFloodTest: /healthz at most " + Collections.max(health).toMillis()
            + " ms of " + health.size() + ", " + unhealthy + " failed; " + fires.size()
            + " fires, at most " + gap.toMillis() + " ms apart; answers " + statuses
            + ", to another token " + other);
    assertThat(unhealthy).as("failed health checks").isZero();
    assertThat(Collections.max(health)).as("slowest health check").isLessThan(HEALTH_MAX);
    assertThat(gap).as("longest time without a fire").isLessThan(GAP_MAX);
    assertThat(other).as("answer to another token").isEqualTo(200);
    assertThat(statuses).as("answers of the viewer").containsKey("HTTP/1.1 429");
  }

  private Duration longestGap(long begun) {
    long before = begun;
    long longest = 0;
    for (long at : fires) {
      longest = Math.max(longest, at - before);
      before = Math.max(before, at);
    }
    return Duration.ofNanos(Math.max(longest, TIME.nanos() - before));
  }

  /** What answers take, without that of the question itself. */
  private static double answerBytes(Rest admin, String url) {
    return admin
        .get(url + "/metrics")
        .body()
        .path("text")
        .asString("")
        .lines()
        .filter(line -> line.matches("belfry_http_answer_bytes " + NUMBER))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
        .findFirst()
        .orElse(-1);
  }

  /** By all pages, of which none has as many as were asked for. */
  private static int countJobs(Rest admin, String url) {
    int count = 0;
    Optional<String> cursor = Optional.of("");
    while (cursor.isPresent()) {
      String more = cursor.get().isEmpty() ? "" : "&cursor=" + cursor.get();
      Rest.Reply page = admin.get(url + Rest.NS + "/jobs?limit=1000" + more);
      assertThat(page.status()).isEqualTo(200);
      count += page.body().path("items").size();
      cursor = page.body().path("next").asStringOpt();
    }
    return count;
  }

  /** On a new connection, as supervisors ask. */
  private static boolean isHealthy(int port) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
              .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return answer.startsWith("HTTP/1.1 200 ");
    } catch (IOException e) {
      return false;
    }
  }
}
