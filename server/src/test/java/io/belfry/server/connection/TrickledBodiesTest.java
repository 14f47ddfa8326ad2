package io.belfry.server.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import io.belfry.server.verb.RunningServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bodies of refused requests that arrive steadily in small pieces do not block other connections. */
@Timeout(120)
class TrickledBodiesTest {
  private static final Time TIME = Time.system();
  private static final int CONNECTIONS = 24;
  private static final int RESERVED = 16;
  private static final int CHECKS = 60;
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final String REFUSED = """
      POST /api/v1/namespaces/default/tasks HTTP/1.1\r
      Host: x\r
      Content-Type: application/json\r
      Content-Length: %d\r
      \r
      """;
  private static final byte[] PIECE = " ".repeat(600).getBytes(StandardCharsets.US_ASCII);

  private static RunningServer server(Path own) {
    return new RunningServer(
        own.resolve("data"),
        "limit.connections=" + CONNECTIONS,
        "limit.reservedConnections=" + RESERVED);
  }

  private static int port(RunningServer server) {
    return URI.create(server.address()).getPort();
  }

  /** From an address of its own: there are some more connections than slots, with and without the reserve. */
  private static final class Trickle {
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicInteger refused = new AtomicInteger();

    void start(int port, int address, int length) {
      Thread.startVirtualThread(() -> {
        while (!stopped.get()) {
          try (var socket = new Socket()) {
            socket.bind(new InetSocketAddress(loopback(address), 0));
            socket.connect(new InetSocketAddress(loopback(1), port));
            socket.setSoTimeout((int) PAUSE.toMillis());
            trickle(socket, length);
          } catch (IOException e) {
            refused.incrementAndGet();
          }
        }
      });
    }

    private void trickle(Socket socket, int length) throws IOException {
      socket.getOutputStream().write(REFUSED.formatted(length).getBytes(StandardCharsets.US_ASCII));
      while (!stopped.get()) {
        if (ended(socket.getInputStream())) {
          refused.incrementAndGet();
          return;
        }
        socket.getOutputStream().write(PIECE);
      }
    }

    private static boolean ended(InputStream in) throws IOException {
      try {
        return in.read(new byte[4096]) < 0;
      } catch (SocketTimeoutException e) {
        return false;
      }
    }
  }

  private static InetAddress loopback(int last) throws IOException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
  }

  /** On a new connection, as supervisors ask. Without an answer, 0. */
  private static int health(int port) {
    try (var socket = new Socket(loopback(1), port)) {
      socket.setSoTimeout(5_000);
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

  private static void healthChecksAreAnswered(int port, int length) {
    var trickle = new Trickle();
    for (int i = 0; i < CONNECTIONS + 3 * RESERVED; i++) {
      trickle.start(port, 2 + i % 5, length);
    }
    try {
      await("the attack has come up against the limits")
          .atMost(Duration.ofSeconds(30))
          .until(() -> trickle.refused.get() > 2 * RESERVED);
      int healthy = 0;
      for (int i = 0; i < CHECKS; i++) {
        healthy += health(port) == 200 ? 1 : 0;
        LockSupport.parkNanos(PAUSE.toNanos());
      }
      assertThat(healthy).as("health checks that were answered").isEqualTo(CHECKS);
    } finally {
      trickle.stopped.set(true);
    }
  }

  @Test
  void health_checks_are_answered_while_refused_bodies_trickle_in(@TempDir Path own) {
    try (var server = server(own)) {
      healthChecksAreAnswered(port(server), 60_000);
    }
  }

  @Test
  void health_checks_are_answered_while_large_refused_bodies_trickle_in(@TempDir Path own) {
    try (var server = server(own)) {
      healthChecksAreAnswered(port(server), 2_000_000);
    }
  }

  @Test
  void a_refused_body_without_a_token_is_not_awaited_for_longer_than_a_moment(@TempDir Path own)
      throws IOException {
    try (var server = new RunningServer(own.resolve("data"));
        var socket = new Socket(loopback(1), port(server))) {
      socket.setSoTimeout((int) PAUSE.toMillis());
      long begun = TIME.nanos();
      socket.getOutputStream().write(REFUSED.formatted(60_000).getBytes(StandardCharsets.US_ASCII));
      try {
        while (!Trickle.ended(socket.getInputStream())) {
          socket.getOutputStream().write(PIECE);
        }
      } catch (IOException e) {
        assertThat(e)
            .as("the server hangs up while this writes")
            .hasMessageMatching(".*(pipe|reset).*");
      }
      assertThat(Duration.ofNanos(TIME.nanos() - begun)).isLessThan(Duration.ofSeconds(4));
    }
  }
}
