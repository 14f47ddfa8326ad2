package io.belfry.tests.witness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.time.Time;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a proxy between a process and its engine can do to their connection. */
@SuppressWarnings("NullAway.Init") // JUnit sets the fields
class NodeLinkTest {
  private ServerSocket server;
  private NodeLink link;
  private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();

  /** Answers each line by itself and its own port. */
  @BeforeEach
  void start() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    link = new NodeLink(Set.of(server.getLocalPort()), Set.of(server.getLocalPort()));
    Thread.ofVirtual().start(() -> {
      while (!server.isClosed()) {
        try {
          Socket one = server.accept();
          Thread.ofVirtual().start(() -> answer(one));
        } catch (IOException closed) {
          return;
        }
      }
    });
  }

  private void answer(Socket one) {
    try (one;
        var in = new BufferedReader(new InputStreamReader(one.getInputStream(), UTF_8));
        var out = new PrintWriter(one.getOutputStream(), true, UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        heard.add(line);
        out.println(line + " at " + server.getLocalPort());
      }
    } catch (IOException gone) {
      heard.add("gone");
    }
  }

  @AfterEach
  void stop() throws IOException {
    link.close();
    server.close();
  }

  /** One connection by the proxy. */
  private final class Caller implements AutoCloseable {
    final Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxyPort());
    final BufferedReader in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    final PrintWriter out = new PrintWriter(socket.getOutputStream(), true, UTF_8);

    Caller() throws IOException {
      socket.setSoTimeout(300);
    }

    String ask(String line) throws IOException {
      out.println(line);
      String answer = in.readLine();
      if (answer == null) {
        throw new EOFException("the connection is over");
      }
      return answer;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private int proxyPort() {
    return Integer.parseInt(link.replacePorts("" + server.getLocalPort()));
  }

  @Test
  void what_names_a_server_names_its_proxy() throws IOException {
    int port = server.getLocalPort();
    assertThat(link.replacePorts("redis://127.0.0.1:" + port + ",1" + port))
        .isEqualTo("redis://127.0.0.1:" + proxyPort() + ",1" + port);
    try (var caller = new Caller()) {
      assertThat(caller.ask("who")).isEqualTo("who at " + proxyPort());
    }
  }

  @Test
  void requests_that_are_held_are_not_heard_until_they_are_let_go() throws Exception {
    try (var caller = new Caller()) {
      link.hold(true, false);
      assertThatThrownBy(() -> caller.ask("one")).isInstanceOf(SocketTimeoutException.class);
      assertThat(heard).isEmpty();
      link.mend();
      assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("one");
    }
  }

  @Test
  void answers_that_are_held_were_heard_and_come_later() throws Exception {
    try (var caller = new Caller()) {
      link.hold(false, true);
      assertThatThrownBy(() -> caller.ask("one")).isInstanceOf(SocketTimeoutException.class);
      assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("one");
      link.mend();
      caller.socket.setSoTimeout(10_000);
      assertThat(caller.in.readLine()).startsWith("one at ");
    }
  }

  @Test
  void delayed_answers_come_so_much_later() throws IOException {
    try (var caller = new Caller()) {
      caller.socket.setSoTimeout(10_000);
      link.delayAnswers(Duration.ofMillis(200));
      Time time = Time.system();
      long asked = time.nanos();
      assertThat(caller.ask("one")).startsWith("one");
      assertThat(Duration.ofNanos(time.nanos() - asked)).isGreaterThan(Duration.ofMillis(190));
    }
  }

  @Test
  void a_cut_resets_connections_and_refuses_new_ones_until_it_is_mended() throws IOException {
    try (var caller = new Caller()) {
      assertThat(caller.ask("one")).startsWith("one");
      caller.socket.setSoTimeout(10_000);
      link.cut();
      assertThatThrownBy(() -> caller.ask("two")).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> new Caller().ask("three")).isInstanceOf(IOException.class);
    }
    link.mend();
    try (var again = new Caller()) {
      again.socket.setSoTimeout(10_000);
      assertThat(again.ask("four")).startsWith("four");
    }
  }
}
