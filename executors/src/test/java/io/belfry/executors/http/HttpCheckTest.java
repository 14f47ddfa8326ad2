package io.belfry.executors.http;

import static io.belfry.executors.http.Caller.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.belfry.executors.egress.EgressRules;
import io.belfry.model.InvalidException;
import io.belfry.model.job.ExecutorSpec;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is refused when a job is saved, and where a form would point. */
class HttpCheckTest {
  private static final String URL = "https://billing.local/run";

  @Test
  void a_job_with_everything_is_accepted() {
    var spec = spec(
        "method",
        "POST",
        "url",
        URL + "/${payload.id}?d=${scheduled.date}",
        "headers",
        Map.of("Authorization", "Bearer ${secret:billing}"),
        "query",
        Map.of("a", 1L),
        "body",
        Map.of("region", "${payload.region}", "list", List.of(1L, true, "x")),
        "contentType",
        "application/vnd.api+json",
        "timeout",
        "30s",
        "success",
        Map.of("status", List.of("200-299", "2xx", 404L), "path", "data.ok", "equals", true),
        "retryOn",
        List.of("connect", "timeout", "broken", "answer", 429L, "5xx"),
        "redirects",
        3L,
        "complete",
        "auto",
        "proxy",
        "none",
        "zone",
        "Asia/Shanghai");
    assertThatCode(() -> HttpExecutor.check(spec)).doesNotThrowAnyException();
    assertThatCode(() -> HttpExecutor.check(ExecutorSpec.http("GET", URL)))
        .doesNotThrowAnyException();
  }

  private static Stream<Arguments> bad() {
    return Stream.of(
        Arguments.of("executor.url", spec("method", "GET")),
        Arguments.of("executor.url", spec("url", 5L)),
        Arguments.of("executor.url", spec("url", "billing.local/run")),
        Arguments.of("executor.url", spec("url", "ftp://billing.local/run")),
        Arguments.of("executor.url", spec("url", "https://${payload.host}/run")),
        Arguments.of("executor.url", spec("url", "https://h:${payload.port}/run")),
        Arguments.of("executor.url", spec("url", "http://169.254.169.254/x")),
        Arguments.of("executor.url", spec("url", "http://metadata.google.internal/x")),
        Arguments.of("executor.url", spec("url", "http://0x7f.1/")),
        Arguments.of("executor.url", spec("url", "http://user:pw@h/")),
        Arguments.of("executor.url", spec("url", "http://h/${nope}")),
        Arguments.of("executor.url", spec("url", "http://h/a b/${payload.id}")),
        Arguments.of("executor.url", spec("url", "http://h/?q=%zz&r=${payload.id}")),
        Arguments.of("executor.mehtod", spec("url", URL, "mehtod", "GET")),
        Arguments.of("executor.method", spec("url", URL, "method", "BREW")),
        Arguments.of("executor.method", spec("url", URL, "method", "CONNECT")),
        Arguments.of("executor.headers", spec("url", URL, "headers", "X: y")),
        Arguments.of("executor.headers.Host", spec("url", URL, "headers", Map.of("Host", "x"))),
        Arguments.of(
            "executor.headers.belfry-token",
            spec("url", URL, "headers", Map.of("belfry-token", "1"))),
        Arguments.of(
            "executor.headers.Content-Length",
            spec("url", URL, "headers", Map.of("Content-Length", 5L))),
        Arguments.of(
            "executor.headers.transfer-encoding",
            spec("url", URL, "headers", Map.of("transfer-encoding", "chunked"))),
        Arguments.of(
            "executor.headers.Connection",
            spec("url", URL, "headers", Map.of("Connection", "close"))),
        Arguments.of("executor.headers.X A", spec("url", URL, "headers", Map.of("X A", "x"))),
        Arguments.of(
            "executor.headers.X-A", spec("url", URL, "headers", Map.of("X-A", "a\r\nX-B: c"))),
        Arguments.of("executor.headers.X-A", spec("url", URL, "headers", Map.of("X-A", "ü"))),
        Arguments.of(
            "executor.headers.X-A", spec("url", URL, "headers", Map.of("X-A", List.of("x")))),
        Arguments.of(
            "executor.headers.X-A", spec("url", URL, "headers", Map.of("X-A", "${secret:}"))),
        Arguments.of("executor.query.q", spec("url", URL, "query", Map.of("q", "${x}"))),
        Arguments.of("executor.body", spec("url", URL, "method", "GET", "body", "x")),
        Arguments.of(
            "executor.body",
            spec("url", URL, "contentType", "application/json", "body", "{\"n\": ${payload.n}}")),
        Arguments.of("executor.body.a[0]", spec("url", URL, "body", Map.of("a", List.of("${x}")))),
        Arguments.of(
            "executor.contentType", spec("url", URL, "body", "x", "contentType", "a\r\nb")),
        Arguments.of(
            "executor.contentType",
            spec(
                "url",
                URL,
                "body",
                "x",
                "contentType",
                "text/x",
                "headers",
                Map.of("Content-Type", "text/y"))),
        Arguments.of("executor.timeout", spec("url", URL, "timeout", "soon")),
        Arguments.of("executor.timeout", spec("url", URL, "timeout", "0s")),
        Arguments.of("executor.timeout", spec("url", URL, "timeout", 5L)),
        Arguments.of(
            "executor.success.status",
            spec("url", URL, "success", Map.of("status", List.of("2x")))),
        Arguments.of(
            "executor.success.status", spec("url", URL, "success", Map.of("status", 700L))),
        Arguments.of(
            "executor.success.status", spec("url", URL, "success", Map.of("status", "299-200"))),
        Arguments.of("executor.success.equals", spec("url", URL, "success", Map.of("equals", 1L))),
        Arguments.of("executor.success.stats", spec("url", URL, "success", Map.of("stats", 200L))),
        Arguments.of("executor.success", spec("url", URL, "success", "200")),
        Arguments.of("executor.retryOn", spec("url", URL, "retryOn", List.of("conect"))),
        Arguments.of("executor.redirects", spec("url", URL, "redirects", 11L)),
        Arguments.of("executor.redirects", spec("url", URL, "redirects", "3")),
        Arguments.of("executor.complete", spec("url", URL, "complete", "later")),
        Arguments.of("executor.complete", spec("url", URL, "body", "${callback.url}")),
        Arguments.of(
            "executor.complete", spec("url", URL, "headers", Map.of("X-Back", "${callback.url}"))),
        Arguments.of("executor.proxy", spec("url", URL, "proxy", "http://proxy:3128")),
        Arguments.of("executor.zone", spec("url", URL, "zone", "Mars/Olympus")));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void bad_settings_are_refused_where_they_are(String field, ExecutorSpec spec) {
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> HttpExecutor.check(spec))
        .satisfies(e -> assertThat(e.field()).isEqualTo(field))
        .withMessageStartingWith(field);
  }

  @Test
  void a_host_that_the_rules_name_is_refused() {
    EgressRules rules = EgressRules.standard().deny("*.evil.test").deny("10.0.0.0/8");
    for (String host : List.of("x.evil.test", "10.1.1.1")) {
      assertThatExceptionOfType(InvalidException.class)
          .isThrownBy(() -> HttpExecutor.check(spec("url", "http://" + host + "/"), rules))
          .satisfies(e -> assertThat(e.field()).isEqualTo("executor.url"))
          .withMessageContaining("deny");
    }
    assertThatCode(() -> HttpExecutor.check(spec("url", URL), rules)).doesNotThrowAnyException();
  }

  @Test
  void a_key_with_a_typing_error_gets_a_suggestion() {
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> HttpExecutor.check(spec("url", URL, "retryon", List.of())))
        .withMessageContaining("Did you mean retryOn?");
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> HttpExecutor.check(spec("url", URL, "zzzzzzzz", 1L)))
        .withMessageContaining("body, complete, contentType, headers");
  }
}
