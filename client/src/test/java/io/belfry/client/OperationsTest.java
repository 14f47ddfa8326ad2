package io.belfry.client;

import static io.belfry.client.StandIn.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Each operation sends the right method, address and body. */
class OperationsTest {
  private static final String NS = "/api/v1/namespaces/team-a";
  private static final JsonNode DOCUMENT = Json.read("{\"executor\":{\"type\":\"local\"}}");
  private static final Instant AT = Instant.parse("2027-01-01T00:00:00Z");
  private static final Optional<Instant> NO_TIME = Optional.empty();
  private static final Optional<String> NO_TEXT = Optional.empty();

  /** An operation, and the request that it must make. */
  record Case(String name, Consumer<BelfryClient> call, String line, String body) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Case of(String name, String line, String body, Consumer<BelfryClient> call) {
    return new Case(name, call, line, body);
  }

  static Stream<Case> operations() {
    return Stream.of(
        of("health", "GET /healthz", "", b -> b.server().health()),
        of("ready", "GET /readyz", "", b -> b.server().ready()),
        of("openapi", "GET /openapi.json", "", b -> b.server().openApi()),
        of("metrics", "GET /metrics", "", b -> b.server().metrics()),
        of("login", "POST /api/v1/login", "{\"code\":\"c\"}", b -> b.access().login("c")),
        of(
            "logout",
            "POST /api/v1/logout",
            "",
            b -> b.access().logout(new Access.Session("k", "x", DOCUMENT))),
        of("createLoginLink", "POST /api/v1/login-links", "", b -> b.access().loginLink()),
        of("me", "GET /api/v1/me", "", b -> b.access().me()),
        of(
            "previewCron",
            "GET /api/v1/cron/preview?expression=0+*+*+*+*&zone=Asia%2FShanghai&count=3",
            "",
            b -> b.server()
                .previewCron("0 * * * *", Optional.of("Asia/Shanghai"), NO_TIME, 3, NO_TEXT)),
        of(
            "complete",
            "POST /api/v1/callbacks/tok",
            "{\"executor\":{\"type\":\"local\"}}",
            b -> b.tasks().complete("tok", DOCUMENT)),
        of("listNamespaces", "GET /api/v1/namespaces", "", b -> b.namespaces().list()),
        of(
            "createNamespace",
            "POST /api/v1/namespaces",
            "{\"name\":\"n\",\"description\":\"d\"}",
            b -> b.namespaces().create("n", Optional.of("d"))),
        of("getNamespace", "GET /api/v1/namespaces/n", "", b -> b.namespaces().get("n")),
        of(
            "deleteNamespace",
            "DELETE /api/v1/namespaces/n",
            "",
            b -> b.namespaces().delete("n")),
        of(
            "listJobs",
            "GET " + NS
                + "/jobs?q=a+b&enabled=true&label=team%3Dx&executor=http&queue=q&sort=-next&limit=5&cursor=c",
            "",
            b -> b.jobs()
                .list(JobQuery.all()
                    .words("a b")
                    .enabled(true)
                    .label("team=x")
                    .executor("http")
                    .queue("q")
                    .sort("-next")
                    .limit(5)
                    .cursor("c"))),
        of(
            "changeJobs",
            "POST " + NS + "/jobs",
            "{\"action\":\"disable\",\"ids\":[\"a\",\"b\"]}",
            b -> b.jobs().change(Jobs.BulkAction.DISABLE, List.of("a", "b"))),
        of(
            "changeJobs apply",
            "POST " + NS + "/jobs",
            "{\"action\":\"apply\",\"jobs\":[{\"executor\":{\"type\":\"local\"}}],\"dryRun\":true}",
            b -> b.jobs().apply(List.of(DOCUMENT), true)),
        of(
            "previewJob",
            "POST " + NS + "/jobs/preview?count=2",
            "{\"executor\":{\"type\":\"local\"}}",
            b -> b.jobs().preview(DOCUMENT, 2)),
        of("getJob", "GET " + NS + "/jobs/a", "", b -> b.jobs().get("a")),
        of(
            "putJob",
            "PUT " + NS + "/jobs/a",
            "{\"executor\":{\"type\":\"local\"}}",
            b -> b.jobs().putNew("a", DOCUMENT)),
        of("deleteJob", "DELETE " + NS + "/jobs/a", "", b -> b.jobs().delete("a", 3)),
        of(
            "triggerJob",
            "POST " + NS + "/jobs/a/trigger",
            "{\"at\":\"2027-01-01T00:00:00Z\",\"payload\":{\"executor\":{\"type\":\"local\"}},\"worker\":\"w\"}",
            b -> b.jobs().trigger("a", Optional.of(AT), Optional.of(DOCUMENT), Optional.of("w"))),
        of(
            "triggerJob now",
            "POST " + NS + "/jobs/a/trigger",
            "",
            b -> b.jobs().trigger("a", NO_TIME, Optional.empty(), NO_TEXT)),
        of("enableJob", "POST " + NS + "/jobs/a/enable", "", b -> b.jobs().enable("a")),
        of("disableJob", "POST " + NS + "/jobs/a/disable", "", b -> b.jobs().disable("a")),
        of(
            "explainJob",
            "GET " + NS + "/jobs/a/explain?at=2027-01-01T00%3A00%3A00Z",
            "",
            b -> b.jobs().explain("a", Optional.of(AT))),
        of("listVersions", "GET " + NS + "/jobs/a/versions", "", b -> b.jobs().versions("a")),
        of(
            "restoreVersion",
            "POST " + NS + "/jobs/a/versions/7/restore",
            "",
            b -> b.jobs().restore("a", 7)));
  }

  static Stream<Case> moreOperations() {
    return Stream.of(
        of(
            "listTasks",
            "GET " + NS
                + "/tasks?state=failed&job=a&queue=q&worker=w&since=2027-01-01T00%3A00%3A00Z&until=2027-01-01T00%3A00%3A00Z&limit=9&cursor=c",
            "",
            b -> b.tasks()
                .list(TaskQuery.all()
                    .state("failed")
                    .job("a")
                    .queue("q")
                    .worker("w")
                    .since(AT)
                    .until(AT)
                    .limit(9)
                    .cursor("c"))),
        of(
            "submitTask",
            "POST " + NS + "/tasks",
            "{\"executor\":{\"type\":\"local\"}}",
            b -> b.tasks().submit(DOCUMENT)),
        of(
            "submitTask many",
            "POST " + NS + "/tasks",
            "[{\"executor\":{\"type\":\"local\"}}]",
            b -> b.tasks().submitAll(List.of(DOCUMENT))),
        of("getTask", "GET " + NS + "/tasks/a%40t", "", b -> b.tasks().get("a@t")),
        of(
            "changeTask",
            "PATCH " + NS + "/tasks/t",
            "{\"priority\":\"high\"}",
            b -> b.tasks().prioritise("t", "high")),
        of(
            "cancelTask",
            "POST " + NS + "/tasks/t/cancel",
            "{\"reason\":\"why\"}",
            b -> b.tasks().cancel("t", Optional.of("why"))),
        of("retryTask", "POST " + NS + "/tasks/t/retry", "", b -> b.tasks().retry("t")),
        of("taskLogs", "GET " + NS + "/tasks/t/logs", "", b -> b.tasks().logs("t")),
        of("listWorkers", "GET " + NS + "/workers", "", b -> b.workers().list()),
        of(
            "drainWorker",
            "POST " + NS + "/workers/w/drain",
            "",
            b -> b.workers().drain("w")),
        of(
            "drainWorker undo",
            "POST " + NS + "/workers/w/drain",
            "{\"undo\":true}",
            b -> b.workers().undrain("w")),
        of(
            "setCapacity",
            "PUT " + NS + "/workers/w/capacity",
            "{\"capacity\":8}",
            b -> b.workers().capacity("w", 8)),
        of(
            "putQueue",
            "PUT " + NS + "/queues/q",
            "{\"mode\":\"pull\"}",
            b -> b.workers().queue("q", "pull")),
        of("cluster", "GET " + NS + "/cluster", "", b -> b.cluster().status()),
        of(
            "pause",
            "POST " + NS + "/cluster/pause",
            "{\"reason\":\"r\"}",
            b -> b.cluster().pause("r")),
        of("resume", "POST " + NS + "/cluster/resume", "", b -> b.cluster().resume()),
        of(
            "getStrategy",
            "GET " + NS + "/cluster/strategy",
            "",
            b -> b.cluster().strategy()),
        of(
            "setStrategy",
            "PUT " + NS + "/cluster/strategy",
            "{\"strategy\":\"s\"}",
            b -> b.cluster().strategy("s")),
        of(
            "resetStrategy",
            "POST " + NS + "/cluster/strategy/reset",
            "",
            b -> b.cluster().resetStrategy()),
        of(
            "stats",
            "GET " + NS + "/stats?job=a&since=2027-01-01T00%3A00%3A00Z&by=day",
            "",
            b -> b.tasks().stats(Optional.of("a"), Optional.of(AT), NO_TIME, Optional.of("day"))),
        of("listCalendars", "GET " + NS + "/calendars", "", b -> b.calendars().list()),
        of("getCalendar", "GET " + NS + "/calendars/c", "", b -> b.calendars().get("c")),
        of(
            "putCalendar",
            "PUT " + NS + "/calendars/c",
            "{\"executor\":{\"type\":\"local\"}}",
            b -> b.calendars().put("c", DOCUMENT)),
        of(
            "deleteCalendar",
            "DELETE " + NS + "/calendars/c",
            "",
            b -> b.calendars().delete("c")),
        of("listSecrets", "GET " + NS + "/secrets", "", b -> b.access().secrets()),
        of(
            "putSecret",
            "PUT " + NS + "/secrets/s",
            "{\"value\":\"v\",\"destinations\":[\"https://a.test\",\"script\"]}",
            b -> b.access().putSecret("s", "v", List.of("https://a.test", "script"))),
        of(
            "rotateSecrets",
            "POST /api/v1/secrets/rotate?cursor=default%2Fa",
            "",
            b -> b.access().rotateSecrets(Optional.of("default/a"))),
        of("deleteSecret", "DELETE " + NS + "/secrets/s", "", b -> b.access().deleteSecret("s")),
        of("listTokens", "GET " + NS + "/tokens", "", b -> b.access().tokens()),
        of(
            "createToken",
            "POST " + NS + "/tokens",
            "{\"name\":\"ci\",\"role\":\"viewer\",\"allNamespaces\":true,\"expiresIn\":\"30d\"}",
            b -> b.access().createToken("ci", "viewer", true, Optional.of("30d"))),
        of("revokeToken", "DELETE " + NS + "/tokens/t", "", b -> b.access().revokeToken("t")),
        of("listAllTokens", "GET /api/v1/tokens", "", b -> b.access().allTokens()),
        of("revokeAnyToken", "DELETE /api/v1/tokens/t", "", b -> b.access().revokeAnyToken("t")),
        of(
            "audit",
            "GET " + NS + "/audit?limit=3",
            "",
            b -> b.access().audit(Optional.of(3), NO_TEXT)));
  }

  @ParameterizedTest
  @MethodSource({"operations", "moreOperations"})
  void operation(Case wanted) {
    try (var server = new StandIn(json(200, "{}"));
        BelfryClient client = BelfryClient.open(
            ClientSettings.at(server.url() + "/").token("t0ken").namespace("team-a"))) {
      wanted.call().accept(client);
      StandIn.Asked asked = server.first();
      assertThat(asked.method() + " " + asked.address()).isEqualTo(wanted.line());
      assertThat(asked.body()).isEqualTo(wanted.body());
      assertThat(asked.header("Content-type"))
          .isEqualTo(wanted.body().isEmpty() ? "" : "application/json");
      boolean anonymous = List.of("health", "ready", "openapi", "login", "logout", "complete")
          .contains(wanted.name());
      assertThat(asked.header("Authorization")).isEqualTo(anonymous ? "" : "Bearer t0ken");
    }
  }

  @Test
  void conditions_go_out_as_headers() {
    try (var server = new StandIn(json(200, "{}"));
        BelfryClient client = BelfryClient.open(ClientSettings.at(server.url()))) {
      client.jobs().putNew("a", DOCUMENT);
      client.jobs().delete("a", 12);
      assertThat(server.asked().get(0).header("If-none-match")).isEqualTo("*");
      assertThat(server.asked().get(1).header("If-match")).isEqualTo("\"12\"");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"belfry=abc", "__Host-belfry=abc"})
  void a_session_is_in_the_cookie(String cookie) {
    StandIn.Reply in =
        json(200, "{\"name\":\"ann\",\"csrf\":\"x\"}", "Set-Cookie", cookie + "; HttpOnly; Path=/");
    try (var server = new StandIn(in, json(204, ""));
        BelfryClient client = BelfryClient.open(ClientSettings.at(server.url()))) {
      Access.Session session = client.access().login("code");
      assertThat(session.cookie()).isEqualTo(cookie);
      assertThat(session.toString()).isEqualTo("Session[ann]");
      client.access().logout(session);
      assertThat(server.asked().get(1).header("Cookie")).isEqualTo(cookie);
      assertThat(server.asked().get(1).header("Belfry-csrf")).isEqualTo("x");
    }
  }

  @Test
  void a_list_that_takes_no_limit_is_whole_however_many_pages_it_has() {
    try (var server = new StandIn(
            json(200, "{\"items\":[{\"id\":\"a\"}],\"next\":\"p 2\"}"),
            json(200, "{\"items\":[],\"next\":\"p3\"}"),
            json(200, "{\"items\":[{\"id\":\"b\"}]}"));
        BelfryClient client = BelfryClient.open(ClientSettings.at(server.url()))) {
      assertThat(client.access().tokens().toString())
          .isEqualTo("{\"items\":[{\"id\":\"a\"},{\"id\":\"b\"}]}");
      assertThat(server.asked())
          .extracting(StandIn.Asked::address)
          .containsExactly(
              "/api/v1/namespaces/default/tokens",
              "/api/v1/namespaces/default/tokens?cursor=p+2",
              "/api/v1/namespaces/default/tokens?cursor=p3");
    }
  }

  @Test
  void pages_are_fetched_when_they_are_needed() {
    try (var server = new StandIn(
            json(200, "{\"items\":[{\"id\":\"a\"},{\"id\":\"b\"}],\"next\":\"p 2\"}"),
            json(200, "{\"items\":[],\"next\":\"p3\"}"),
            json(200, "{\"items\":[{\"id\":\"c\"}]}"));
        BelfryClient client = BelfryClient.open(ClientSettings.at(server.url()))) {
      var all = client.jobs().all(JobQuery.all().limit(2)).iterator();
      assertThat(server.asked()).isEmpty();
      all.next();
      all.next();
      assertThat(server.asked()).hasSize(1);
      assertThat(all.next().path("id").asString()).isEqualTo("c");
      assertThat(all.hasNext()).isFalse();
      assertThat(server.asked())
          .extracting(StandIn.Asked::address)
          .containsExactly(
              "/api/v1/namespaces/default/jobs?limit=2",
              "/api/v1/namespaces/default/jobs?limit=2&cursor=p+2",
              "/api/v1/namespaces/default/jobs?limit=2&cursor=p3");
    }
  }

  @Test
  void numbers_stay_as_they_were_sent() {
    String exact = "{\"a\":1.50,\"b\":12345678901234567890,\"c\":0.1}";
    try (var server = new StandIn(json(200, exact));
        BelfryClient client = BelfryClient.open(ClientSettings.at(server.url()))) {
      assertThat(client.jobs().get("a")).hasToString(exact);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost:8080",
        "ftp://x",
        "http://",
        "http://a b",
        "http://u:p@x",
        "http://x?y"
      })
  void invalid_addresses_are_refused(String url) {
    assertThatThrownBy(() -> ClientSettings.at(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("http://127.0.0.1:8080");
  }

  @Test
  void unusual_ids_stay_inside_their_path_segment() {
    assertThat(Call.part("../x y/ü?#%")).isEqualTo("..%2Fx%20y%2F%C3%BC%3F%23%25");
    assertThat(Call.part("..")).isEqualTo("%2E%2E");
    assertThatThrownBy(() -> Call.part("")).hasMessageContaining("id must not be empty");
  }

  @Test
  void a_broken_token_is_refused_without_repeating_it() {
    assertThatThrownBy(() -> ClientSettings.at("http://x").token("gehe im"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("gehe");
  }
}
