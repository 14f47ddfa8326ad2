package io.belfry.executors.egress;

import static io.belfry.executors.http.Caller.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.executors.TestServer;
import io.belfry.executors.http.Caller;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import io.belfry.model.time.Time;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The timeout of a call counts while names are looked up, and nothing is sent once it is over. */
@Timeout(60)
class LookupDeadlineTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  private final CountDownLatch answers = new CountDownLatch(1);
  private final TestServer server = TestServer.answering("200 OK", "text/plain", "hello");
  private final HostLookup names = new NameLookups(Time.system(), this::resolve).of("test");

  @AfterEach
  void close() {
    answers.countDown();
    server.close();
  }

  private InetAddress[] resolve(String host) throws UnknownHostException {
    if (host.endsWith(".slow")) {
      try {
        answers.await();
      } catch (InterruptedException e) {
        throw new UnknownHostException(host);
      }
    }
    return new InetAddress[] {HERE};
  }

  private void assertTimeout(EgressRules rules, HostLookup lookup, String host) {
    long begun = Time.system().nanos();
    try (Caller caller = Caller.with(rules, lookup)) {
      Failure failure = caller.failure(
          spec("url", "http://" + host + ":" + server.port() + "/", "timeout", "300ms"));
      assertThat(failure.kind()).as(failure.result().message()).isEqualTo(FailureKind.TIMEOUT);
      assertThat(failure.result().message())
          .contains("was not sent", "resolving its host", "within 300ms");
    }
    assertThat(Duration.ofNanos(Time.system().nanos() - begun)).isLessThan(Duration.ofSeconds(8));
    assertThat(server.connections()).isZero();
  }

  @Test
  void a_call_whose_host_is_looked_up_for_too_long_ends_in_time() {
    assertTimeout(EgressRules.standard(), names, "target.slow");
  }

  /** Not known in time is no reason to call it forbidden, which would end the task. */
  @Test
  void a_call_at_the_port_of_an_engine_whose_name_is_looked_up_for_too_long_ends_in_time() {
    assertTimeout(
        EgressRules.standard().withOwn("engine.slow", server.port()), names, "target.test");
  }

  @Test
  void a_call_whose_host_was_found_too_late_is_not_sent() {
    assertTimeout(
        EgressRules.standard(),
        (host, until) -> {
          assertThat(answers.await(400, TimeUnit.MILLISECONDS)).isFalse();
          return List.of(HERE);
        },
        "target.test");
  }

  /** Without a name there is nothing to look up. */
  @Test
  void a_call_in_time_is_sent() throws Exception {
    try (Caller caller = Caller.with(EgressRules.standard(), names)) {
      var spec = spec("url", "http://target.test:" + server.port() + "/", "timeout", "30s");
      assertThat(caller.call(spec).data().text()).isEqualTo("hello");
    }
  }
}
