package io.belfry.executors.http;

import static io.belfry.executors.http.Caller.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.executors.TestAttempt;
import io.belfry.executors.TestServer;
import io.belfry.executors.secret.Destination;
import io.belfry.executors.secret.Destinations;
import io.belfry.executors.secret.SecretValue;
import io.belfry.executors.secret.Secrets;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An attacker who may define calls, but not secrets, tries to have a secret sent to a server of its own. */
class SecretDestinationsTest {
  private static final String VALUE = "s3cr3t-billing-key";

  private final TestServer billing = TestServer.start((request, socket) -> {
    if (request.target().startsWith("/moved")) {
      TestServer.answer(socket, "307 Moved", "Location: " + elsewhere(), "moved");
    } else {
      TestServer.answer(socket, "200 OK", "", "paid");
    }
  });
  private final TestServer attacker = TestServer.answering("200 OK", "text/plain", "thanks");
  private final List<String> refused = new CopyOnWriteArrayList<>();
  private final Caller caller = Caller.with(new Stored(), Callbacks.NONE);

  private final class Stored implements Secrets {
    @Override
    public Optional<SecretValue> find(String name) {
      List<String> destinations = name.equals("scripts") ? List.of("script") : allowed();
      return Optional.of(new SecretValue(VALUE, Destinations.parse("d", destinations)));
    }

    @Override
    public void refused(String name, Destination to) {
      refused.add(name + " to " + to);
    }
  }

  private List<String> allowed() {
    String origin = billing.url("/");
    return List.of(origin.substring(0, origin.length() - 1));
  }

  private String elsewhere() {
    return attacker.url("/stolen");
  }

  @AfterEach
  void close() {
    caller.close();
    billing.close();
    attacker.close();
  }

  @Test
  void a_secret_reaches_the_server_that_it_is_for() throws Exception {
    caller.call(spec(
        "url", billing.url("/pay?k=${secret:billing}"),
        "headers", Map.of("X-Key", "${secret:billing}"),
        "body", Map.of("key", "${secret:billing}")));
    assertThat(billing.only().header("X-Key")).isEqualTo(VALUE);
    assertThat(billing.only().body()).contains(VALUE);
    assertThat(refused).isEmpty();
  }

  @Test
  void no_other_server_gets_it_by_address_header_or_body() {
    for (ExecutorSpec spec : List.of(
        spec("url", attacker.url("/${secret:billing}")),
        spec("url", attacker.url("/?k=${secret:billing}")),
        spec("url", attacker.url("/"), "query", Map.of("k", "${secret:billing}")),
        spec("url", attacker.url("/"), "headers", Map.of("X-Key", "Bearer ${secret:billing}")),
        spec("url", attacker.url("/"), "body", Map.of("a", List.of("${secret:billing}"))),
        spec("url", attacker.url("/"), "body", "text ${secret:billing}"),
        spec("url", attacker.url("/"), "body", "${secret:billing}"),
        spec(
            "url",
            attacker.url("/"),
            "contentType",
            "application/x-www-form-urlencoded",
            "body",
            "k=${secret:billing}"))) {
      Failure failure = caller.failure(spec);
      assertThat(failure.kind()).as(spec.toString()).isEqualTo(FailureKind.REJECTED);
      assertThat(failure.result().message())
          .contains("secret billing")
          .contains(attacker.url("").replaceFirst("/$", ""))
          .doesNotContain(VALUE);
    }
    assertThat(attacker.connections()).isZero();
    assertThat(refused).hasSize(8).allMatch(one -> one.startsWith("billing to http://"));
  }

  @Test
  void the_same_host_on_another_port_or_by_another_name_is_another_server() {
    String byName = attacker.url("/").replace("127.0.0.1", "localhost");
    assertThat(caller.failure(spec("url", byName, "body", "${secret:billing}")).kind())
        .isEqualTo(FailureKind.REJECTED);
    String billingByName = billing.url("/").replace("127.0.0.1", "localhost");
    assertThat(caller
            .failure(spec("url", billingByName, "body", "${secret:billing}"))
            .kind())
        .isEqualTo(FailureKind.REJECTED);
    assertThat(billing.connections()).isZero();
  }

  @Test
  void a_secret_for_scripts_is_sent_nowhere() {
    Failure failure =
        caller.failure(spec("url", billing.url("/"), "headers", Map.of("X", "${secret:scripts}")));
    assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
    assertThat(billing.connections()).isZero();
  }

  @Test
  void a_redirect_does_not_take_it_elsewhere() {
    for (ExecutorSpec spec : List.of(
        spec("url", billing.url("/moved"), "redirects", 3L, "body", "${secret:billing}"),
        spec(
            "url",
            billing.url("/moved"),
            "redirects",
            3L,
            "headers",
            Map.of("X-Key", "${secret:billing}")))) {
      Failure failure = caller.failure(spec);
      assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
      assertThat(failure.result().message()).contains("another origin").doesNotContain(VALUE);
    }
    assertThat(attacker.connections()).isZero();
  }

  @Test
  void the_payload_cannot_choose_where_it_goes() {
    for (String url : List.of(
        "${payload.url}",
        "http://${payload.host}/",
        "http://127.0.0.1:${payload.port}/",
        billing.url("").replaceFirst("/$", "") + "${payload.suffix}/")) {
      TestAttempt attempt = TestAttempt.of(spec("url", url, "body", "${secret:billing}"));
      assertThat(caller.failure(attempt).result().message())
          .as(url)
          .contains("a payload must not decide where a call goes");
    }
    assertThat(attacker.connections()).isZero();
    assertThat(billing.connections()).isZero();
  }
}
