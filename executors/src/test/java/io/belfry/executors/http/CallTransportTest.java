package io.belfry.executors.http;

import static io.belfry.executors.http.Caller.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.executors.TestAttempt;
import io.belfry.executors.TestServer;
import io.belfry.executors.egress.EgressRules;
import io.belfry.executors.egress.HostLookup;
import io.belfry.executors.http.Caller.Background;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import io.belfry.model.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The addresses of a target are tried one after the other, not too many of them, and only for a call that waits. */
@Timeout(120)
class CallTransportTest {
  private final TestServer server = TestServer.answering("200 OK", "text/plain", "hello");
  private final List<AutoCloseable> open = new ArrayList<>();
  private final CountDownLatch never = new CountDownLatch(1);

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    server.close();
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /** At the port of the server, and takes no connection: what waits to be accepted is as much as may wait. */
  private InetAddress silent(String text) throws IOException {
    InetAddress address = address(text);
    open.add(new ServerSocket(server.port(), 1, address));
    boolean full = false;
    while (!full) {
      var socket = new Socket();
      open.add(socket);
      try {
        socket.connect(new InetSocketAddress(address, server.port()), 300);
      } catch (SocketTimeoutException e) {
        full = true;
      }
    }
    return address;
  }

  /** Nobody listens there. */
  private static List<InetAddress> refusing(int count) {
    var all = new ArrayList<InetAddress>();
    for (int i = 1; i <= count; i++) {
      all.add(address("127.0.7." + i));
    }
    return all;
  }

  /** Its client runs: the first call of a process takes its time. */
  private Caller caller(Duration connectTimeout, HostLookup names) throws Exception {
    Caller caller = Caller.with(HttpSettings.defaults().withConnectTimeout(connectTimeout), names);
    open.add(caller);
    caller.call(spec("url", server.url("/first")));
    return caller;
  }

  private void assertNotReached() {
    assertThat(server.received()).allMatch(request -> request.target().equals("/first"));
    assertThat(server.connections()).isEqualTo(1);
  }

  private String url() {
    return "http://target.test:" + server.port() + "/";
  }

  /** But for the one of the first call, which is kept for a while. */
  private void awaitNoConnections(Caller caller) {
    await().atMost(Duration.ofSeconds(60)).until(() -> caller.executor.connections() <= 1);
  }

  @Test
  void no_further_address_is_tried_once_the_call_is_over() throws Exception {
    List<InetAddress> addresses =
        List.of(silent("127.0.7.1"), silent("127.0.7.2"), address("127.0.0.1"));
    Caller caller = caller(Duration.ofSeconds(1), (host, until) -> addresses);
    Failure failure = caller.failure(spec("url", url(), "timeout", "200ms"));
    assertThat(failure.result().message()).contains("got no complete response within 200ms");
    awaitNoConnections(caller);
    assertNotReached();
  }

  @Test
  void no_further_address_is_tried_once_the_attempt_is_stopped() throws Exception {
    List<InetAddress> addresses = List.of(silent("127.0.7.1"), address("127.0.0.1"));
    Caller caller = caller(Duration.ofSeconds(1), (host, until) -> addresses);
    Background call = caller.inBackground(TestAttempt.of(spec("url", url())));
    await().until(() -> caller.executor.connections() == 2);
    call.thread().interrupt();
    assertThat(call.thrown().get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    awaitNoConnections(caller);
    assertNotReached();
  }

  @Test
  void the_next_address_is_tried_while_the_call_waits() throws Exception {
    List<InetAddress> addresses = List.of(silent("127.0.7.1"), address("127.0.0.1"));
    Caller caller = caller(Duration.ofMillis(300), (host, until) -> addresses);
    assertThat(caller.call(spec("url", url())).data().text()).isEqualTo("hello");
  }

  /** All calls with the same addresses and rules wait in one queue, and each may need an address that others have given up. */
  @Test
  void a_call_waits_for_its_own_connection_when_that_of_another_one_fails() throws Exception {
    List<InetAddress> addresses = List.of(silent("127.0.7.1"));
    Caller caller = caller(Duration.ofSeconds(2), (host, until) -> addresses);
    Background first = caller.inBackground(TestAttempt.of(spec("url", url())));
    await().until(() -> caller.executor.connections() == 2);
    assertThat(never.await(1, TimeUnit.SECONDS)).isFalse();
    long begun = Time.system().nanos();
    assertThat(caller.failure(spec("url", url())).result().message()).contains("could not connect");
    assertThat(Duration.ofNanos(Time.system().nanos() - begun))
        .isGreaterThan(Duration.ofMillis(1900));
    assertThat(first.thrown().get(30, TimeUnit.SECONDS)).hasMessageContaining("could not connect");
  }

  @Test
  void only_so_many_addresses_of_a_name_are_tried() throws Exception {
    for (int before : List.of(15, 16)) {
      List<InetAddress> addresses = new ArrayList<>(refusing(before));
      addresses.add(address("127.0.0.1"));
      Caller caller = caller(Duration.ofSeconds(5), (host, until) -> addresses);
      if (before == 15) {
        assertThat(caller.call(spec("url", url())).data().text()).isEqualTo("hello");
      } else {
        assertThat(caller.failure(spec("url", url())).result().message())
            .contains("could not connect");
      }
    }
  }

  @Test
  void addresses_that_are_not_tried_are_checked_all_the_same() {
    List<InetAddress> addresses = new ArrayList<>(refusing(40));
    addresses.add(address("169.254.169.254"));
    try (Caller caller = Caller.with(EgressRules.standard(), (host, until) -> addresses)) {
      assertThat(caller.failure(spec("url", url())).kind()).isEqualTo(FailureKind.REJECTED);
    }
  }
}
