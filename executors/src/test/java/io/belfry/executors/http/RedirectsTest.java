package io.belfry.executors.http;

import static io.belfry.executors.http.Caller.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.executors.TestServer;
import io.belfry.executors.TestServer.Received;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedirectsTest {
  private final Caller caller = Caller.usual();
  private final TestServer other = TestServer.answering("200 OK", "text/plain", "other");
  private volatile String status = "302 Found";
  private volatile String place = "/end";
  private final TestServer server = TestServer.start((request, socket) -> {
    if (request.target().startsWith("/end")) {
      TestServer.answer(socket, "200 OK", "", "end");
    } else {
      TestServer.answer(socket, status, "Location: " + place, "moved");
    }
  });

  @AfterEach
  void close() {
    caller.close();
    server.close();
    other.close();
  }

  @Test
  void are_not_followed_unless_the_job_says_so() {
    Failure failure = caller.failure(spec("url", server.url("/a")));
    assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
    assertThat(failure.result().code()).isEqualTo(302);
    assertThat(server.received()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "301 Moved, POST, GET", "302 Found, POST, GET", "303 See, POST, GET", "303 See, DELETE, GET",
    "307 Temp, POST, POST", "308 Perm, PUT, PUT", "302 Found, PUT, PUT", "302 Found, HEAD, HEAD"
  })
  void keep_or_change_the_method_as_they_should(String answer, String method, String then)
      throws Exception {
    status = answer;
    var spec = method.equals("HEAD") || method.equals("DELETE")
        ? spec("url", server.url("/a"), "method", method, "redirects", 3L)
        : spec("url", server.url("/a"), "method", method, "redirects", 3L, "body", Map.of("x", 1L));
    assertThat(caller.call(spec).code()).isEqualTo(200);
    Received last = server.received().getLast();
    assertThat(last.method()).isEqualTo(then);
    assertThat(last.target()).isEqualTo("/end");
    boolean keeps = then.equals("POST") || then.equals("PUT");
    assertThat(last.body()).isEqualTo(keeps ? "{\"x\":1}" : "");
    assertThat(last.header("Content-Type")).isEqualTo(keeps ? "application/json" : "");
    assertThat(last.header("Belfry-Token")).isEqualTo("4711");
  }

  @Test
  void are_followed_to_another_origin_without_credentials() throws Exception {
    place = other.url("/x?y=%20");
    assertThat(
            caller.call(spec("url", server.url("/a"), "redirects", 1L)).data().text())
        .isEqualTo("other");
    assertThat(other.only().target()).isEqualTo("/x?y=%20");
  }

  @Test
  void end_after_as_many_as_the_job_says() {
    place = "/again";
    Failure failure = caller.failure(spec("url", server.url("/a"), "redirects", 4L));
    assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
    assertThat(failure.result().message()).contains("exceeds the limit of executor.redirects (4)");
    assertThat(server.received()).hasSize(5);
  }

  @Test
  void never_carry_a_secret_to_another_origin() {
    place = other.url("/x");
    status = "307 Temporary Redirect";
    Map<String, Object> withSecrets = Map.of(
        "headers", Map.of("X-Key", "${secret:token}"),
        "body", Map.of("k", "${secret:token}"));
    withSecrets.forEach((key, value) -> {
      Failure failure = caller.failure(
          spec("url", server.url("/a"), "method", "POST", "redirects", 3L, key, value));
      assertThat(failure.kind()).as(key).isEqualTo(FailureKind.REJECTED);
      assertThat(failure.result().message()).contains("bound to the origin in the job");
    });
    Failure literal = caller.failure(spec(
        "url",
        server.url("/a"),
        "redirects",
        3L,
        "headers",
        Map.of("authorization", "Bearer written-out")));
    assertThat(literal.kind()).isEqualTo(FailureKind.REJECTED);
    assertThat(other.connections()).isZero();
  }

  @Test
  void never_carry_a_secret_that_the_target_sends_back() {
    place = other.url("/x?stolen=s3cr3t%2Ftoken%2Bvalue");
    Failure failure =
        caller.failure(spec("url", server.url("/a?k=${secret:token}"), "redirects", 3L));
    assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
    assertThat(failure.result().message()).doesNotContain("s3cr3t");
    assertThat(other.connections()).isZero();
  }

  @Test
  void carry_secrets_within_the_same_origin() throws Exception {
    status = "308 Permanent Redirect";
    caller.call(spec(
        "url", server.url("/a"), "redirects", 3L, "headers", Map.of("X-Key", "${secret:token}")));
    assertThat(server.received().getLast().header("X-Key")).isEqualTo("s3cr3t/token+value");
  }

  /** What the target got it may send on in any spelling: whole, reversed, in parts. */
  @ParameterizedTest
  @ValueSource(strings = {"?k=${secret:token}", "${secret:token}/x", "?k=${secret:short}"})
  void never_lead_a_call_with_a_secret_in_its_url_to_another_origin(String url) {
    place = other.url("/x?stolen=eulav+nekot/t3rc3s");
    assertRefused(spec("url", server.url("/" + url), "redirects", 3L));
    assertRefused(
        spec("url", server.url("/a"), "redirects", 3L, "query", Map.of("k", "${secret:token}")));
  }

  private void assertRefused(ExecutorSpec spec) {
    Failure failure = caller.failure(spec);
    assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
    assertThat(failure.result().message())
        .contains("another origin", "bound to the origin in the job");
    assertThat(other.connections()).isZero();
  }

  @Test
  void never_lead_to_another_origin_after_a_body_with_a_secret_was_dropped() throws Exception {
    status = "303 See Other";
    var spec =
        spec("url", server.url("/a"), "redirects", 3L, "body", Map.of("k", "${secret:token}"));
    caller.call(spec);
    assertThat(server.received().getLast().body()).isEmpty();
    place = other.url("/x");
    assertRefused(spec);
  }

  @Test
  void never_lead_to_another_origin_after_a_hop_within_the_first() {
    try (TestServer twice = TestServer.start((request, socket) -> TestServer.answer(
        socket,
        "303 See Other",
        "Location: " + (request.target().equals("/a") ? "/b" : other.url("/x")),
        ""))) {
      assertRefused(
          spec("url", twice.url("/a"), "redirects", 3L, "body", Map.of("k", "${secret:token}")));
      assertThat(twice.received()).hasSize(2);
    }
  }

  @ParameterizedTest
  @CsvSource({"http://[bad", "http://a b/", "'ht!tp:/x'", "http://user:pw@127.0.0.1/"})
  void that_lead_nowhere_are_refused(String location) {
    place = location;
    Failure failure = caller.failure(spec("url", server.url("/a"), "redirects", 3L));
    assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
    assertThat(failure.result().message()).contains("has an invalid Location");
  }
}
