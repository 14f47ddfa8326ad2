package io.belfry.executors.http;

import static io.belfry.executors.http.Caller.spec;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.executors.TestAttempt;
import io.belfry.executors.TestServer;
import io.belfry.executors.TestServer.Received;
import io.belfry.model.job.Payload;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.testkit.InheritedThreads;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpExecutorTest {
  private final Caller caller = Caller.usual();
  private TestServer server =
      TestServer.answering("200 OK", "application/json", "{\"data\":{\"ok\":true,\"n\":3}}");

  @AfterEach
  void close() {
    caller.close();
    server.close();
  }

  private void answering(String status, String contentType, String body) {
    server.close();
    server = TestServer.answering(status, contentType, body);
  }

  @Nested
  class RequestFactory {
    @Test
    void carry_what_a_target_needs_to_tell_attempts_apart() throws Exception {
      var attempt = TestAttempt.of(spec("url", server.url("/run?a=%2Fb&c")));
      Result result = caller.executor.execute(attempt);
      Received got = server.only();
      assertThat(got.method()).isEqualTo("GET");
      assertThat(got.target()).isEqualTo("/run?a=%2Fb&c");
      assertThat(got.header("Idempotency-Key")).isEqualTo("order-17");
      assertThat(got.header("Belfry-Task")).isEqualTo("nightly@2027-01-01T23:30:00Z");
      assertThat(got.header("Belfry-Attempt")).isEqualTo("2");
      assertThat(got.header("Belfry-Token")).isEqualTo("4711");
      assertThat(got.header("traceparent")).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01");
      assertThat(got.header("User-Agent")).matches("belfry/\\d.*");
      assertThat(got.header("Host")).isEqualTo("127.0.0.1:" + server.port());
      assertThat(got.names())
          .doesNotHaveDuplicates()
          .doesNotContain("Belfry-Callback", "Accept-Encoding");
      assertThat(result.code()).isEqualTo(200);
      assertThat(result.message()).isEqualTo("OK");
      assertThat(result.data()).isEqualTo(Payload.json("{\"data\":{\"ok\":true,\"n\":3}}"));
      assertThat(attempt.logged().get(0)).isEqualTo("→ GET " + server.url("/run?a=%2Fb&c"));
      assertThat(attempt.logged().get(1)).matches("← 200 in \\d+ ms, 26 bytes");
    }

    @Test
    void are_filled_from_the_payload() throws Exception {
      var attempt = TestAttempt.of(spec(
              "method", "put",
              "url", server.url("/customers/${payload.id}/${scheduled.date}"),
              "query", Map.of("q", "${payload.name}"),
              "headers", Map.of("X-Name", "n=${payload.id}", "X-Number", 5L),
              "zone", "Europe/Berlin",
              "body", Map.of("id", "${payload.id}", "text", "for ${payload.name}")))
          .payload("{\"id\": 7, \"name\": \"Ada & Bob\"}");
      caller.executor.execute(attempt);
      Received got = server.only();
      assertThat(got.method()).isEqualTo("PUT");
      assertThat(got.target()).isEqualTo("/customers/7/2027-01-02?q=Ada%20%26%20Bob");
      assertThat(got.header("X-Name")).isEqualTo("n=7");
      assertThat(got.header("X-Number")).isEqualTo("5");
      assertThat(got.header("Content-Type")).isEqualTo("application/json");
      assertThat(got.body()).contains("\"id\":7").contains("\"text\":\"for Ada & Bob\"");
    }

    @Test
    void are_posts_where_there_is_a_body() throws Exception {
      caller.executor.execute(TestAttempt.of(spec("url", server.url("/"), "body", "${payload}"))
          .payload("{\"a\":[1,2]}"));
      assertThat(server.only().method()).isEqualTo("POST");
      assertThat(server.only().body()).isEqualTo("{\"a\":[1,2]}");
      assertThat(server.only().header("Content-Type")).isEqualTo("application/json");
    }

    @Test
    void take_json_that_was_written_as_text_for_json() throws Exception {
      var attempt = TestAttempt.of(spec(
              "url", server.url("/"),
              "contentType", "application/json",
              "body", "{\"n\": \"${payload.n}\", \"s\": \"<${payload.s}>\"}"))
          .payload("{\"n\": 1.50, \"s\": \"\\\", \\\"admin\\\": \\\"yes\"}");
      caller.executor.execute(attempt);
      assertThat(server.only().body())
          .isEqualTo("{\"n\":1.50,\"s\":\"<\\\", \\\"admin\\\": \\\"yes>\"}");
    }

    @Test
    void encode_the_values_of_forms_and_leave_plain_text_alone() throws Exception {
      var payload = "{\"a\": \"x&admin=1\"}";
      var form = Map.of("Content-Type", "application/x-www-form-urlencoded");
      caller.executor.execute(
          TestAttempt.of(spec("url", server.url("/"), "headers", form, "body", "a=${payload.a}"))
              .payload(payload));
      caller.executor.execute(
          TestAttempt.of(spec("url", server.url("/"), "body", "a=${payload.a}")).payload(payload));
      assertThat(server.received().get(0).body()).isEqualTo("a=x%26admin%3D1");
      assertThat(server.received().get(1).body()).isEqualTo("a=x&admin=1");
      assertThat(server.received().get(1).header("Content-Type"))
          .isEqualTo("text/plain;charset=utf-8");
    }

    @Test
    void may_name_their_own_key_trace_and_agent() throws Exception {
      caller.call(spec(
          "url", server.url("/"),
          "headers", Map.of("idempotency-key", "${job}", "Traceparent", "t", "user-agent", "me")));
      assertThat(server.only().header("Idempotency-Key")).isEqualTo("nightly");
      assertThat(server.only().header("traceparent")).isEqualTo("t");
      assertThat(server.only().header("User-Agent")).isEqualTo("me");
      assertThat(server.only().names()).doesNotHaveDuplicates();
    }

    @Test
    void never_get_a_second_header_from_a_value() {
      Failure failure = caller.failure(
          TestAttempt.of(spec("url", server.url("/"), "headers", Map.of("X-A", "${payload.a}")))
              .payload("{\"a\": \"b\\r\\nX-Admin: yes\"}"));
      assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
      assertThat(failure.result().message()).startsWith("executor.headers.X-A must be one line");
      assertThat(server.connections()).isZero();
    }

    /** All namespaces share those of connections and of name lookups: they must not write into the log of the attempt that came first. */
    @Test
    void start_no_thread_that_belongs_to_their_attempt() throws Exception {
      assertThat(InheritedThreads.of(() -> {
            caller.call(spec("url", "http://localhost:" + server.port() + "/"));
            return caller.failure(spec("url", "http://no-such-host.invalid/"));
          }))
          .isEmpty();
    }

    @Test
    void share_connections_and_remember_no_cookies() throws Exception {
      server.close();
      server = TestServer.start((request, socket) -> TestServer.answer(
          socket,
          "200 OK",
          "Set-Cookie: session=1; Path=/\r\nWWW-Authenticate: Basic realm=x",
          ""));
      for (int i = 0; i < 5; i++) {
        caller.call(spec("url", server.url("/" + i)));
      }
      assertThat(server.connections()).isEqualTo(1);
      assertThat(caller.executor.connections()).isEqualTo(1);
      assertThat(server.received()).allMatch(request -> request.header("Cookie").isEmpty());
    }
  }

  @Nested
  class Successes {
    @ParameterizedTest
    @CsvSource({
      "200 OK, , true",
      "201 Created, , true",
      "299 Odd, , true",
      "302 Found, , false",
      "404 Not Found, , false",
      "404 Not Found, 404, true",
      "200 OK, 404, false",
      "204 No Content, 200-299, true",
      "503 Busy, 5xx, true"
    })
    void are_told_by_the_status(String status, String rule, boolean success) throws Exception {
      answering(status, "text/plain", status.startsWith("204") ? "" : "body");
      var spec = rule == null
          ? spec("url", server.url("/"))
          : spec("url", server.url("/"), "success", Map.of("status", List.of(rule)));
      if (success) {
        assertThat(caller.call(spec).code()).isEqualTo(Integer.parseInt(status.substring(0, 3)));
      } else {
        assertThat(caller.failure(spec).result().code())
            .isEqualTo(Integer.parseInt(status.substring(0, 3)));
      }
    }

    @ParameterizedTest
    @CsvSource({
      "data.ok, , true",
      "data.n, 3, true",
      "data.n, 3.0, true",
      "data.n, 4, false",
      "data.missing, , false",
      "data.no, , false",
      "data.list.1, 'b', true",
      "data.list.2, 'b', false",
      "data.text, 'yes', true"
    })
    void are_told_by_a_value_of_the_answer(String path, String equals, boolean success)
        throws Exception {
      answering(
          "200 OK",
          "application/json",
          "{\"data\":{\"ok\":true,\"no\":false,\"n\":3,\"list\":[\"a\",\"b\"],\"text\":\"yes\"}}");
      Object wanted = equals == null
          ? true
          : equals.matches("[0-9.]+") ? (Object) Double.valueOf(equals) : equals;
      var spec = spec(
          "url",
          server.url("/"),
          "success",
          equals == null ? Map.of("path", path) : Map.of("path", path, "equals", wanted));
      if (success) {
        assertThat(caller.call(spec).code()).isEqualTo(200);
      } else {
        Failure failure = caller.failure(spec);
        assertThat(failure.kind()).isEqualTo(FailureKind.ERROR);
        assertThat(failure.result().message()).contains(path);
      }
    }

    @Test
    void need_json_where_a_value_is_asked_for() {
      answering("200 OK", "text/html", "<html>");
      Failure failure =
          caller.failure(spec("url", server.url("/"), "success", Map.of("path", "ok")));
      assertThat(failure.result().message()).contains("its body is not JSON");
    }

    /** The call was made: it must not be made again because of what its answer says. */
    @Test
    void do_not_depend_on_numbers_that_cannot_be_read() throws Exception {
      answering("200 OK", "application/json", "{\"n\":1e-9999999999}");
      Result result = caller.call(spec("url", server.url("/"), "method", "POST"));
      assertThat(result.code()).isEqualTo(200);
      assertThat(result.data())
          .isEqualTo(Payload.of("text/plain", "{\"n\":1e-9999999999}".getBytes(UTF_8)));
      Failure failure =
          caller.failure(spec("url", server.url("/"), "success", Map.of("path", "n")));
      assertThat(failure.result().message()).contains("its body is not JSON");
    }
  }

  @Nested
  class Failures {
    @ParameterizedTest
    @CsvSource({
      "500 Oops, ERROR",
      "503 Busy, ERROR",
      "408 Late, ERROR",
      "425 Early, ERROR",
      "429 Much, ERROR",
      "400 Bad, REJECTED",
      "401 Who, REJECTED",
      "404 Gone, REJECTED",
      "302 Found, REJECTED"
    })
    void are_tried_again_where_that_may_help(String status, FailureKind kind) {
      answering(status, "text/plain", "the reason why");
      Failure failure = caller.failure(spec("url", server.url("/x"), "method", "POST"));
      assertThat(failure.kind()).isEqualTo(kind);
      assertThat(failure.result().message())
          .isEqualTo("POST " + server.url("/x") + " returned " + status + ": the reason why");
      assertThat(failure.result().data().text()).isEqualTo("the reason why");
    }

    @Test
    void are_tried_again_where_the_job_says_so() {
      answering("404 Not Found", "text/plain", "");
      var again = spec("url", server.url("/"), "retryOn", List.of(404L, "connect"));
      assertThat(caller.failure(again).kind()).isEqualTo(FailureKind.ERROR);
      answering("500 Oops", "text/plain", "");
      var never = spec("url", server.url("/"), "retryOn", List.of(404L, "connect"));
      assertThat(caller.failure(never).kind()).isEqualTo(FailureKind.REJECTED);
    }

    @ParameterizedTest
    @CsvSource({
      "120, 120 s",
      "'Fri, 01 Jan 2100 00:00:00 GMT', s",
      "'Sat, 01 Jan 2000 00:00:00 GMT', ': 0 s'"
    })
    void say_when_the_target_wants_to_be_asked_again(String header, String shown) {
      server.close();
      server = TestServer.start((request, socket) ->
          TestServer.answer(socket, "429 Too Many Requests", "Retry-After: " + header, ""));
      assertThat(caller.failure(spec("url", server.url("/"))).result().message())
          .contains("Retry-After: ")
          .endsWith(shown + ")");
    }

    @Test
    void say_nothing_of_a_wish_that_means_nothing() {
      server.close();
      server = TestServer.start(
          (request, socket) -> TestServer.answer(socket, "503 Busy", "Retry-After: soon", ""));
      assertThat(caller.failure(spec("url", server.url("/"))).result().message())
          .endsWith("returned 503 Busy");
    }

    @Test
    void of_settings_are_rejected_also_when_nobody_checked_them() {
      Failure failure = caller.failure(spec("url", server.url("/"), "methd", "GET"));
      assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
      assertThat(failure.result().message()).contains("Did you mean method?");
    }
  }

  @Nested
  class Secrets {
    private void echoing() {
      server.close();
      server = TestServer.start((request, socket) -> TestServer.answer(
          socket,
          request.target().startsWith("/bad") ? "500 " + request.header("X-Key") : "200 OK",
          "Content-Type: text/plain",
          request.target() + " " + request.headers() + " " + request.body()));
    }

    @Test
    void reach_the_target_and_nobody_else() throws Exception {
      echoing();
      var attempt = TestAttempt.of(spec(
          "url", server.url("/ok/${secret:spaced}?k=${secret:token}"),
          "headers", Map.of("X-Key", "Bearer ${secret:token}"),
          "body", Map.of("pin", "${secret:pin}")));
      Result result = caller.executor.execute(attempt);
      Received got = server.only();
      assertThat(got.target()).isEqualTo("/ok/two%20words%20here?k=s3cr3t%2Ftoken%2Bvalue");
      assertThat(got.header("X-Key")).isEqualTo("Bearer s3cr3t/token+value");
      assertThat(got.body()).isEqualTo("{\"pin\":\"1234567\"}");
      String shown = result.message() + result.data().text() + attempt.logged();
      assertThat(shown)
          .doesNotContain("s3cr3t", "1234567", "two words", "two%20words")
          .contains("(secret token)", "(secret pin)", "(secret spaced)");
      assertThat(attempt.logged().getFirst())
          .isEqualTo("→ POST " + server.url("/ok/(secret spaced)?k=(secret token)"));
    }

    @Test
    void are_not_in_failures() {
      echoing();
      Failure failure = caller.failure(
          spec("url", server.url("/bad"), "headers", Map.of("X-Key", "${secret:token}")));
      assertThat(failure.result().message()).contains("(secret token)").doesNotContain("s3cr3t");
      assertThat(failure.result().data().text())
          .contains("(secret token)")
          .doesNotContain("s3cr3t");
    }

    @Test
    void that_do_not_exist_stop_the_call() {
      Failure failure = caller.failure(
          spec("url", server.url("/"), "headers", Map.of("X-Key", "${secret:other}")));
      assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
      assertThat(failure.result().message())
          .contains("${secret:other}")
          .contains("not a secret of this namespace");
      assertThat(server.connections()).isZero();
    }
  }
}
