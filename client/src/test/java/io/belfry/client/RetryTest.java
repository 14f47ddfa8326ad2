package io.belfry.client;

import static io.belfry.client.StandIn.cut;
import static io.belfry.client.StandIn.cutAfter;
import static io.belfry.client.StandIn.json;
import static io.belfry.client.StandIn.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class RetryTest {
  private static final StandIn.Reply GOOD = json(200, "{\"id\":\"a\"}");
  private static final StandIn.Reply AWAY = problem(503, "unavailable", "No engine.");
  private static final JsonNode TASK =
      Json.read("{\"executor\":{\"type\":\"local\",\"handler\":\"x\"}}");

  private final List<Duration> waits = new ArrayList<>();

  private static ClientSettings settings(String... urls) {
    return ClientSettings.at(urls).token("secret-token").random(new Random(7));
  }

  private Transport transport(ClientSettings settings) {
    return new Transport(settings, waits::add);
  }

  private Tasks tasks(ClientSettings settings) {
    return new Tasks(transport(settings), "/api/v1/namespaces/default");
  }

  private Jobs jobs(ClientSettings settings) {
    return new Jobs(transport(settings), "/api/v1/namespaces/default");
  }

  private static String nobody() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "http://127.0.0.1:" + socket.getLocalPort();
    }
  }

  @Nested
  class What_may_be_repeated {
    @Test
    void is_sent_again_after_503() {
      try (var server = new StandIn(AWAY, AWAY, GOOD)) {
        assertThat(jobs(settings(server.url())).get("a").path("id").asString()).isEqualTo("a");
        assertThat(server.asked()).hasSize(3);
        assertThat(waits).hasSize(2);
        assertThat(waits.get(0)).isBetween(Duration.ofMillis(100), Duration.ofMillis(200));
        assertThat(waits.get(1)).isBetween(Duration.ofMillis(200), Duration.ofMillis(400));
      }
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void waits_as_long_as_the_server_wants(int status) {
      try (var server = new StandIn(problem(status, "word", "Later.", "Retry-After", "7"), GOOD)) {
        assertThat(jobs(settings(server.url())).get("a").path("id").asString()).isEqualTo("a");
        assertThat(waits).containsExactly(Duration.ofSeconds(7));
      }
    }

    @Test
    void backs_off_after_429_without_a_time() {
      try (var server = new StandIn(problem(429, "tooMany", "Later."), GOOD)) {
        jobs(settings(server.url())).get("a");
        assertThat(waits).hasSize(1);
        assertThat(waits.get(0)).isBetween(Duration.ofMillis(100), Duration.ofMillis(200));
      }
    }

    @Test
    void is_given_up_after_the_maximum_of_tries() {
      try (var server = new StandIn(AWAY)) {
        var refused = catchThrowableOfType(
            ApiException.class, () -> jobs(settings(server.url()).tries(3)).get("a"));
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused).hasMessage("No engine.");
        assertThat(server.asked()).hasSize(3);
      }
    }

    @Test
    void is_sent_again_after_a_cut_connection() {
      try (var server = new StandIn(cut(), cutAfter("{\"id\""), GOOD)) {
        assertThat(jobs(settings(server.url())).put("a", TASK).path("id").asString())
            .isEqualTo("a");
        assertThat(server.asked()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(server.asked()).allMatch(asked -> asked.body().contains("executor"));
      }
    }

    @Test
    void includes_a_submission_with_a_name_of_its_own() {
      try (var server = new StandIn(cut(), GOOD)) {
        var named = Json.read("{\"key\":\"k\",\"executor\":{\"type\":\"local\"}}");
        TaskRef ref = tasks(settings(server.url())).submit(named);
        assertThat(ref.repeated()).isTrue();
        assertThat(server.asked()).hasSize(2);
      }
    }

    @Test
    void includes_a_trigger_for_an_instant() {
      try (var server = new StandIn(cut(), json(201, "{\"id\":\"a@1\"}"))) {
        TaskRef ref = jobs(settings(server.url()))
            .trigger(
                "a",
                Optional.of(Instant.parse("2027-01-01T00:00:00Z")),
                Optional.empty(),
                Optional.empty());
        assertThat(ref.id()).isEqualTo("a@1");
        assertThat(ref.repeated()).isFalse();
      }
    }

    @Test
    void includes_a_deletion_whose_second_try_finds_nothing() {
      try (var server = new StandIn(cut(), problem(404, "notFound", "There is no job a."))) {
        jobs(settings(server.url())).delete("a");
        assertThat(server.asked()).hasSize(2);
      }
      try (var server = new StandIn(problem(404, "notFound", "There is no job a."))) {
        var refused = catchThrowableOfType(
            ApiException.class, () -> jobs(settings(server.url())).delete("a"));
        assertThat(refused.status()).isEqualTo(404);
      }
    }
  }

  @Nested
  class What_may_not_be_repeated {
    @Test
    void is_unknown_after_a_cut_connection_and_sent_once() {
      try (var server = new StandIn(cut(), GOOD)) {
        var lost = catchThrowableOfType(
            UnreachableException.class, () -> tasks(settings(server.url())).submit(TASK));
        assertThat(lost.isUnknown()).isTrue();
        assertThat(lost)
            .hasMessageContaining("POST /api/v1/namespaces/default/tasks was sent")
            .hasMessageContaining("may or may not");
        assertThat(server.asked()).hasSize(1);
      }
    }

    @ParameterizedTest
    @ValueSource(strings = {"unavailable", "unknown"})
    void is_answered_with_503_at_once(String code) {
      try (var server = new StandIn(problem(503, code, "Hm."))) {
        var refused = catchThrowableOfType(
            ApiException.class, () -> tasks(settings(server.url())).retry("t"));
        assertThat(refused.isUnknown()).isEqualTo(code.equals("unknown"));
        assertThat(server.asked()).hasSize(1);
      }
    }

    @Test
    void is_answered_with_429_at_once() {
      try (var server = new StandIn(problem(429, "tooMany", "Later.", "Retry-After", "3"))) {
        var refused = catchThrowableOfType(
            ApiException.class, () -> tasks(settings(server.url())).retry("t"));
        assertThat(refused.retryAfter()).contains(Duration.ofSeconds(3));
        assertThat(server.asked()).hasSize(1);
        assertThat(waits).isEmpty();
      }
    }

    @Test
    void includes_a_save_that_expects_a_generation() {
      try (var server = new StandIn(cut(), GOOD)) {
        var lost = catchThrowableOfType(
            UnreachableException.class, () -> jobs(settings(server.url())).put("a", TASK, 4));
        assertThat(lost.isUnknown()).isTrue();
        assertThat(server.first().header("If-match")).isEqualTo("\"4\"");
        assertThat(server.asked()).hasSize(1);
      }
    }

    @Test
    void fails_over_if_it_was_not_sent() throws IOException {
      try (var server = new StandIn(json(201, "{\"id\":\"t\"}"))) {
        assertThat(tasks(settings(nobody(), server.url())).submit(TASK).id()).isEqualTo("t");
        assertThat(waits).isEmpty();
      }
    }

    @Test
    void is_not_unknown_if_the_connection_was_refused() throws IOException {
      String url = nobody();
      var lost = catchThrowableOfType(
          UnreachableException.class, () -> tasks(settings(url)).submit(TASK));
      assertThat(lost.isUnknown()).isFalse();
      assertThat(lost).hasMessage("No response from " + url + " (connection refused).");
      assertThat(waits).isEmpty();
    }
  }

  @Nested
  class Several_servers {
    @Test
    void are_tried_in_turn_and_the_one_that_answered_is_kept() throws IOException {
      try (var server = new StandIn(GOOD)) {
        Jobs jobs = jobs(settings(nobody(), nobody(), server.url()));
        jobs.get("a");
        jobs.get("a");
        assertThat(server.asked()).hasSize(2);
        assertThat(waits).isEmpty();
      }
    }

    @Test
    void are_all_named_when_none_answers() throws IOException {
      String one = nobody();
      String two = nobody();
      var lost = catchThrowableOfType(
          UnreachableException.class, () -> jobs(settings(one, two)).get("a"));
      assertThat(lost).hasMessageContaining(one).hasMessageContaining(two);
      assertThat(waits).hasSize(1);
    }

    @Test
    void replace_a_slow_one() throws Exception {
      var release = new CountDownLatch(1);
      StandIn.Reply slow = exchange -> {
        try {
          release.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      };
      try (var sleeper = new StandIn(slow);
          var server = new StandIn(GOOD)) {
        ClientSettings settings =
            settings(sleeper.url(), server.url()).answerTimeout(Duration.ofMillis(500));
        jobs(settings).get("a");
        assertThat(server.asked()).hasSize(1);
        var late = catchThrowableOfType(
            UnreachableException.class,
            () -> jobs(settings(sleeper.url()).answerTimeout(Duration.ofMillis(300)))
                .get("a"));
        assertThat(late).hasMessageContaining("no response within PT0.3S");
        release.countDown();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 409, 412, 413, 500})
  void other_refusals_are_thrown_at_once(int status) {
    String body = "{\"code\":\"word\",\"message\":\"A sentence.\",\"field\":\"trigger.cron\"}";
    try (var server = new StandIn(json(status, body, "Retry-After", "3"))) {
      var refused = catchThrowableOfType(
          ApiException.class, () -> jobs(settings(server.url())).get("a"));
      assertThat(refused.status()).isEqualTo(status);
      assertThat(refused.code()).isEqualTo("word");
      assertThat(refused).hasMessage("A sentence.");
      assertThat(refused.field()).contains("trigger.cron");
      assertThat(refused.retryAfter()).contains(Duration.ofSeconds(3));
      assertThat(server.asked()).hasSize(1);
    }
  }

  /** The number parser refuses the exponent with a different exception. */
  @Test
  void a_number_that_no_type_can_hold_is_no_json() {
    String body = "{\"code\":\"x\",\"message\":\"y\",\"n\":1e-9999999999}";
    try (var server = new StandIn(json(200, body), json(404, body))) {
      Jobs jobs = jobs(settings(server.url()));
      for (String id : List.of("a", "b")) {
        var strange = catchThrowableOfType(ApiException.class, () -> jobs.get(id));
        assertThat(strange.code()).isEqualTo("malformed");
      }
    }
  }

  @Test
  void a_response_of_another_server_is_detected() {
    StandIn.Reply page = json(200, "<html>hello</html>");
    try (var server = new StandIn(page, json(404, "<html>"))) {
      Jobs jobs = jobs(settings(server.url()));
      var strange = catchThrowableOfType(ApiException.class, () -> jobs.get("a"));
      assertThat(strange).hasMessageContaining("not from a Belfry server");
      assertThat(strange.code()).isEqualTo("malformed");
      var other = catchThrowableOfType(ApiException.class, () -> jobs.get("a"));
      assertThat(other).hasMessageContaining("answered 404 without an error document");
    }
  }

  @Test
  void the_token_is_sent_and_never_printed() {
    try (var server = new StandIn(cut())) {
      ClientSettings settings = settings(server.url());
      try (BelfryClient client = BelfryClient.open(settings)) {
        var lost = catchThrowableOfType(
            UnreachableException.class, () -> client.tasks().submit(TASK));
        assertThat(server.first().header("Authorization")).isEqualTo("Bearer secret-token");
        for (Throwable cause = lost; cause != null; cause = cause.getCause()) {
          assertThat(cause.toString()).doesNotContain("secret-token");
        }
        assertThat(client.toString()).doesNotContain("secret-token").contains(server.url());
        assertThat(settings.toString()).doesNotContain("secret-token");
      }
    }
  }

  @Test
  void a_redirect_is_not_followed_because_the_token_is_for_one_server() {
    try (var other = new StandIn(GOOD);
        var server = new StandIn(json(302, "", "Location", other.url() + "/"))) {
      var refused = catchThrowableOfType(
          ApiException.class, () -> jobs(settings(server.url())).get("a"));
      assertThat(refused.status()).isEqualTo(302);
      assertThat(other.asked()).isEmpty();
    }
  }
}
