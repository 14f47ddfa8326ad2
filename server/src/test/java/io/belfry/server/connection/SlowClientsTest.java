package io.belfry.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.server.connection.SlowClient.End;
import io.belfry.server.verb.RunningServer;
import io.belfry.testkit.engine.EtcdCertificates;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Every kind of slow client is closed within its limit. All attacks run at once, because each takes some seconds. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlowClientsTest {
  private static final Duration TICK = Duration.ofMillis(200);
  /** Allows for a busy machine; without the limits no attack would ever end. */
  private static final Duration SLACK = Duration.ofSeconds(5);

  private static final String HEALTH = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
  private static final String[] LIMITS = {
    "limit.headTimeout=2s", "limit.bodyTimeout=9s", "limit.idleTimeout=6s", "limit.answerRate=64KiB"
  };

  private RunningServer server;
  private RunningServer secure;
  private CompletableFuture<End> slowHead;
  private CompletableFuture<End> silent;
  private CompletableFuture<End> idle;
  private CompletableFuture<End> slowSecondHead;
  private CompletableFuture<End> slowBody;
  private CompletableFuture<End> slowChunks;
  private CompletableFuture<End> longBody;
  private CompletableFuture<End> refusedBody;
  private CompletableFuture<End> honestBody;
  private CompletableFuture<End> slowReader;
  private CompletableFuture<End> handshake;
  private CompletableFuture<End> slowHandshake;

  @BeforeAll
  void attack(@TempDir Path own) {
    server = new RunningServer(own.resolve("data"), LIMITS);
    secure = secure(own);
    int port = URI.create(server.address()).getPort();
    slowHead = SlowClient.bytes(port, "GET /healthz HTTP/1.1\r\nX: ", 1, TICK);
    silent = new SlowClient(port, "", new byte[0], TICK, 0).start();
    idle = new SlowClient(port, HEALTH, new byte[0], TICK, 0).start();
    slowSecondHead = SlowClient.bytes(port, HEALTH, 1, TICK);
    slowBody = SlowClient.bytes(port, preview("Content-Length: 9000"), 1, TICK);
    slowChunks =
        SlowClient.bytes(port, preview("Transfer-Encoding: chunked") + "2000\r\n", 1, TICK);
    longBody = SlowClient.bytes(port, preview("Content-Length: 90000"), 800, TICK);
    refusedBody = SlowClient.bytes(
        port, post("/api/v1/namespaces/default/tasks", "Content-Length: 1000000"), 1, TICK);
    byte[] piece = " ".repeat(800).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    honestBody =
        new SlowClient(port, preview("Content-Length: 24002") + "{}", piece, TICK, 30).start();
    slowReader = SlowClient.reader(port, "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n");
    int securePort = URI.create(secure.address()).getPort();
    handshake = new SlowClient(securePort, "", new byte[0], TICK, 0).start();
    slowHandshake = SlowClient.bytes(securePort, "\u0016\u0003\u0001\u0002\u0000\u0001", 1, TICK);
  }

  private static RunningServer secure(Path own) {
    EtcdCertificates made = EtcdCertificates.make(own);
    String[] settings = java.util.stream.Stream.concat(
            java.util.Arrays.stream(LIMITS),
            java.util.stream.Stream.of(
                "server.tls.certificate=" + made.clientCertificate(),
                "server.tls.key=" + made.clientKey()))
        .toArray(String[]::new);
    return new RunningServer(own.resolve("secure"), settings);
  }

  /** A request whose body is read. */
  private String preview(String length) {
    return post(
        "/api/v1/namespaces/default/jobs/preview",
        "Authorization: Bearer " + server.admin() + "\r\n" + length);
  }

  private static String post(String path, String length) {
    return "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + length
        + "\r\n\r\n";
  }

  @AfterAll
  void stop() {
    secure.close();
    server.close();
  }

  private static End end(CompletableFuture<End> attack) {
    try {
      return attack.get(40, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void assertCut(CompletableFuture<End> attack, int seconds) {
    End end = end(attack);
    assertThat(end.open()).as("the connection is still open").isFalse();
    assertThat(end.after()).isLessThan(Duration.ofSeconds(seconds).plus(SLACK));
  }

  @Test
  void a_head_that_comes_byte_by_byte_is_cut_off_and_told_why() {
    assertCut(slowHead, 2);
    assertThat(end(slowHead).text()).startsWith("HTTP/1.1 408 ").contains("limit.headTimeout");
  }

  @Test
  void a_connection_that_sends_nothing_is_closed() {
    assertCut(silent, 2);
    assertThat(end(silent).text()).isEmpty();
  }

  @Test
  void a_connection_between_two_requests_is_closed_after_a_while() {
    assertCut(idle, 6);
    assertThat(end(idle).text()).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void the_head_of_a_second_request_has_the_same_deadline() {
    assertCut(slowSecondHead, 3);
    assertThat(end(slowSecondHead).text()).startsWith("HTTP/1.1 200 ").contains(" 408 ");
  }

  @Test
  void a_body_that_comes_byte_by_byte_is_answered_and_cut_off() {
    assertCut(slowBody, 6);
    assertThat(end(slowBody).text())
        .startsWith("HTTP/1.1 408 ")
        .contains("\"code\":\"timeout\"")
        .contains("limit.bodyRate");
    assertCut(slowChunks, 6);
    assertThat(end(slowChunks).text()).startsWith("HTTP/1.1 408 ");
  }

  @Test
  void a_body_has_a_deadline_however_steadily_it_comes() {
    assertCut(longBody, 10);
    assertThat(end(longBody).text()).startsWith("HTTP/1.1 408 ").contains("limit.bodyTimeout");
  }

  /** The rest of a refused body is read so that the client receives the response, with the same limits as other bodies. */
  @Test
  void a_refused_body_that_comes_byte_by_byte_is_not_read_to_its_end() {
    assertCut(refusedBody, 6);
    assertThat(end(refusedBody).text()).startsWith("HTTP/1.1 401 ");
  }

  @Test
  void a_body_over_a_slow_line_is_read() {
    assertThat(end(honestBody).text()).startsWith("HTTP/1.1 400 ").contains("\"code\":\"invalid\"");
  }

  @Test
  void a_client_that_hardly_reads_its_answers_is_cut_off() {
    assertCut(slowReader, 15);
  }

  @Test
  void a_tls_handshake_must_end_in_time() {
    assertCut(handshake, 2);
    assertCut(slowHandshake, 2);
  }

  @Test
  void what_was_closed_is_counted_by_reason() {
    end(slowHead);
    end(slowBody);
    end(longBody);
    end(slowReader);
    String figures = server.get("/metrics").body().path("text").asString();
    for (String reason :
        new String[] {"head_timeout", "slow_body", "body_timeout", "slow_reader"}) {
      assertThat(figures)
          .containsPattern(
              "belfry_http_connections_closed_total\\{reason=\"" + reason + "\"} [1-9]");
    }
    assertThat(figures).contains("belfry_http_connections{phase=\"head\"}");
  }
}
