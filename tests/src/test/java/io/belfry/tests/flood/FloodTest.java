package io.belfry.tests.flood;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.UnixOperatingSystemMXBean;
import io.belfry.core.execute.AttemptContext;
import io.belfry.model.time.Time;
import io.belfry.server.config.Config;
import io.belfry.server.verb.Program;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Slow clients and floods of bad logins and cookies neither stop health checks nor delay fires: 2,000 connections that send a byte a
 * second, and 1,000 requests a second. It is measured in rounds until one is within the bounds: the JVM compiles during the first ones, and
 * other tests may use the same machine. Each round is printed. It needs 4,500 file descriptors, as client and server are one process here.
 */
@Tag("alone")
class FloodTest {
  private static final Time TIME = Time.system();
  private static final int CONNECTIONS = 2_000;
  private static final int JOBS = 20;
  private static final int FLOOD_PER_SECOND = 500;
  private static final int ROUNDS_MAX = 5;
  private static final Duration ROUND = Duration.ofSeconds(6);
  private static final Duration PROBE = Duration.ofMillis(20);
  private static final Duration HEALTH_MAX = Duration.ofMillis(100);
  private static final Duration LATE_MAX = Duration.ofMillis(50);

  private final Queue<Duration> late = new ConcurrentLinkedQueue<>();

  @Test
  void slow_clients_and_floods_stop_neither_health_checks_nor_fires(@TempDir Path own)
      throws Exception {
    Path data = own.resolve("data");
    Config config = Config.defaults()
        .set("data", data.toString(), "the test")
        .set("server.listen", "127.0.0.1:0", "the test");
    try (Program program = Program.start(config, belfry -> belfry.handle("tick", this::fired))) {
      int port = URI.create(program.address()).getPort();
      saveJobs(program.address(), Files.readString(data.resolve("admin.token")).strip());
      await().atMost(Duration.ofSeconds(20)).until(() -> late.size() > 2 * JOBS);
      attack(port);
      assertThat(health(port)).isEqualTo(200);
    }
  }

  private void attack(int port) throws Exception {
    int connections = connections();
    try (var crowd = new SlowCrowd(port, connections);
        var logins = new RequestFlood(port, FLOOD_PER_SECOND, number -> login());
        var cookies = new RequestFlood(port, FLOOD_PER_SECOND, FloodTest::cookie)) {
      await().atMost(Duration.ofSeconds(20)).until(() -> crowd.open() > connections * 9 / 10);
      var rounds = new ArrayList<Round>();
      do {
        rounds.add(round(port));
        System.out.println("FloodTest: " + connections + " slow connections, " + crowd.cutOff()
            + " cut off so far; " + logins.answered() + " bad logins and " + cookies.answered()
            + " bad cookies answered so far; " + rounds.getLast());
      } while (rounds.size() < ROUNDS_MAX && !rounds.getLast().isGood());
      assertThat(rounds).as("a round within the bounds").anyMatch(Round::isGood);
      assertThat(crowd.cutOff()).as("slow connections that were cut off").isPositive();
    }
  }

  /** What was seen in some seconds of the attack. */
  private record Round(List<Duration> health, List<Duration> late, int unhealthy) {
    boolean isGood() {
      return unhealthy == 0
          && percentile(health, 99).compareTo(HEALTH_MAX) <= 0
          && percentile(late, 99).compareTo(LATE_MAX) <= 0;
    }

    @Override
    public String toString() {
      return "/healthz " + figures(health) + ", " + unhealthy + " failed; fires late by "
          + figures(late);
    }
  }

  private Round round(int port) {
    late.clear();
    var health = new ArrayList<Duration>();
    int unhealthy = 0;
    long begun = TIME.nanos();
    while (TIME.nanos() - begun < ROUND.toNanos()) {
      long asked = TIME.nanos();
      unhealthy += health(port) == 200 ? 0 : 1;
      health.add(Duration.ofNanos(TIME.nanos() - asked));
      LockSupport.parkNanos(PROBE.toNanos());
    }
    return new Round(List.copyOf(health), List.copyOf(late), unhealthy);
  }

  private static int connections() {
    var system = ManagementFactory.getOperatingSystemMXBean();
    long descriptors = system instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : 2L * CONNECTIONS + 500;
    assertThat(descriptors)
        .as("ulimit -n, of which this test needs two for each connection")
        .isGreaterThanOrEqualTo(2L * CONNECTIONS + 500);
    return CONNECTIONS;
  }

  private void fired(AttemptContext attempt) {
    late.add(Duration.between(attempt.scheduled(), TIME.wall()));
  }

  private static void saveJobs(String address, String token) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (int i = 0; i < JOBS; i++) {
        String job =
            "{\"trigger\": {\"every\": \"1s\"}, \"executor\": {\"type\": \"local\", \"handler\": \"tick\"}}";
        HttpRequest put = HttpRequest.newBuilder(
                URI.create(address + "/api/v1/namespaces/default/jobs/tick" + i))
            .PUT(BodyPublishers.ofString(job))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + token)
            .build();
        assertThat(http.send(put, BodyHandlers.ofString()).statusCode()).isEqualTo(201);
      }
    }
  }

  private static String login() {
    String body = "{\"token\": \"bft_" + "x".repeat(43) + "\"}";
    return "POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
        + body.length() + "\r\n\r\n" + body;
  }

  private static String cookie(long number) {
    return "GET /api/v1/me HTTP/1.1\r\nHost: x\r\nCookie: belfry=guess" + number + "\r\n\r\n";
  }

  /** On a new connection, as supervisors ask. Without an answer, 0. */
  private static int health(int port) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
              .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return answer.startsWith("HTTP/1.1 200 ") ? 200 : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  private static Duration percentile(List<Duration> all, int percent) {
    List<Duration> sorted = all.stream().sorted().toList();
    return sorted.isEmpty() ? Duration.ofDays(1) : sorted.get((sorted.size() - 1) * percent / 100);
  }

  private static String figures(List<Duration> all) {
    return "p50 " + percentile(all, 50).toMillis() + " ms, p99 "
        + percentile(all, 99).toMillis() + " ms, max " + percentile(all, 100).toMillis() + " ms of "
        + all.size();
  }
}
