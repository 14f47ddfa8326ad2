package io.belfry.server.rest;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.server.access.Role;
import io.belfry.server.verb.RunningServer;
import io.belfry.server.verb.RunningServer.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Who may do what: every route for every kind of caller, as its permission says, and no look over the fence of a namespace. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MatrixTest {
  private static final String MINE = "/api/v1/namespaces/mine";
  private static final String THEIRS = "/api/v1/namespaces/theirs";
  private static final String LOCAL = "{\"executor\": {\"type\": \"local\", \"handler\": \"h\"}";

  /** Who asks. */
  private enum Caller {
    ANONYMOUS,
    VIEWER,
    OPERATOR,
    DEVELOPER,
    ADMIN,
    FOREIGN_OPERATOR,
    FOREIGN_ADMIN,
    GLOBAL_VIEWER,
    GLOBAL_ADMIN,
    EXPIRED,
    REVOKED,
    SESSION_WITHOUT_CSRF,
    SESSION_OF_A_REVOKED_TOKEN;

    boolean isKnown() {
      return this != ANONYMOUS
          && this != EXPIRED
          && this != REVOKED
          && this != SESSION_OF_A_REVOKED_TOKEN;
    }

    Role role() {
      return switch (this) {
        case VIEWER, GLOBAL_VIEWER -> Role.VIEWER;
        case OPERATOR, FOREIGN_OPERATOR -> Role.OPERATOR;
        case DEVELOPER -> Role.DEVELOPER;
        default -> Role.ADMIN;
      };
    }

    boolean isGlobal() {
      return this == GLOBAL_ADMIN || this == GLOBAL_VIEWER;
    }

    boolean isForeign() {
      return this == FOREIGN_ADMIN || this == FOREIGN_OPERATOR;
    }
  }

  private final Map<Caller, String[]> headers = new EnumMap<>(Caller.class);
  private RunningServer server;

  @BeforeAll
  void start(@TempDir Path own) {
    server = new RunningServer(
        own.resolve("data"),
        "limit.loginRate=100000",
        "namespaces=mine,theirs",
        "submit.handlers=listed");
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> server.get(MINE).status() == 200 && server.get(THEIRS).status() == 200);
    // so that no caller can close it
    assertThat(server.put(MINE + "/jobs/stays", LOCAL + "}").status()).isEqualTo(201);
    headers.put(Caller.ANONYMOUS, new String[0]);
    headers.put(Caller.VIEWER, bearer(token(MINE, "viewer", "")));
    headers.put(Caller.OPERATOR, bearer(token(MINE, "operator", "")));
    headers.put(Caller.DEVELOPER, bearer(token(MINE, "developer", "")));
    headers.put(Caller.FOREIGN_OPERATOR, bearer(token(THEIRS, "operator", "")));
    headers.put(Caller.ADMIN, bearer(token(MINE, "admin", "")));
    headers.put(Caller.FOREIGN_ADMIN, bearer(token(THEIRS, "admin", "")));
    headers.put(Caller.GLOBAL_VIEWER, bearer(token(MINE, "viewer", ", \"allNamespaces\": true")));
    headers.put(Caller.GLOBAL_ADMIN, bearer(server.admin()));
    headers.put(Caller.REVOKED, bearer(revoked()));
    headers.put(Caller.SESSION_WITHOUT_CSRF, session(token(MINE, "admin", "")));
    headers.put(Caller.SESSION_OF_A_REVOKED_TOKEN, sessionOfARevokedToken());
    String passing = token(MINE, "admin", ", \"expiresIn\": \"1s\"");
    headers.put(Caller.EXPIRED, bearer(passing));
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> server.ask("GET", "/api/v1/me", "", passing).status() == 401);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private String token(String namespace, String role, String more) {
    Reply made = server.post(
        namespace + "/tokens", "{\"name\": \"t\", \"role\": \"" + role + "\"" + more + "}");
    return made.body().path("token").asString();
  }

  private String revoked() {
    Reply made = server.post(MINE + "/tokens", "{\"name\": \"gone\", \"role\": \"admin\"}");
    String id = made.body().path("id").asString();
    assertThat(server.delete(MINE + "/tokens/" + id).status()).isEqualTo(204);
    return made.body().path("token").asString();
  }

  private static String[] bearer(String token) {
    return new String[] {"Authorization", "Bearer " + token};
  }

  private String[] session(String token) {
    Reply login = server.ask("POST", "/api/v1/login", "{\"token\": \"" + token + "\"}", "");
    String cookie = login.header("set-cookie").orElseThrow();
    return new String[] {"Cookie", cookie.substring(0, cookie.indexOf(';'))};
  }

  private String[] sessionOfARevokedToken() {
    Reply made = server.post(MINE + "/tokens", "{\"name\": \"gone\", \"role\": \"admin\"}");
    String[] session = session(made.body().path("token").asString());
    server.delete(MINE + "/tokens/" + made.body().path("id").asString());
    return session;
  }

  private Reply ask(Caller caller, String method, String path, String body) {
    return server.ask(method, path, body, "", requireNonNull(headers.get(caller)));
  }

  /** The status with which the gate must refuse; empty: it must let it through. */
  private static Optional<Integer> refusal(Route route, Caller caller) {
    if (route.permission() == Permission.ANONYMOUS) {
      return Optional.empty();
    }
    if (!caller.isKnown()) {
      return Optional.of(401);
    }
    boolean forged = caller == Caller.SESSION_WITHOUT_CSRF && route.changes();
    boolean elsewhere = caller.isForeign() && route.path().contains("{ns}");
    boolean unable = switch (route.permission()) {
      case ANONYMOUS, ANY -> false;
      case VIEWER -> !caller.role().includes(Role.VIEWER);
      case OPERATOR -> !caller.role().includes(Role.OPERATOR);
      case DEVELOPER -> !caller.role().includes(Role.DEVELOPER);
      case ADMIN -> !caller.role().includes(Role.ADMIN);
      case GLOBAL_ADMIN -> !caller.isGlobal() || !caller.role().includes(Role.ADMIN);
    };
    return forged || elsewhere || unable ? Optional.of(403) : Optional.empty();
  }

  private static String path(Route route) {
    return route.path().replace("{ns}", "mine").replaceAll("\\{\\w+}", "nothing-here");
  }

  @Test
  void every_route_lets_in_whom_its_permission_names_and_nobody_else() {
    var wrong = new ArrayList<String>();
    int asked = 0;
    for (Route route : server.api().routes()) {
      for (Caller caller : Caller.values()) {
        Reply reply = ask(caller, route.method().name(), path(route), "");
        Optional<Integer> expected = refusal(route, caller);
        boolean right = expected
            .map(status -> status == reply.status())
            .orElse(reply.status() != 401 && reply.status() != 403 && reply.status() < 500);
        if (!right) {
          wrong.add(route.name() + " for " + caller + " gave " + reply.status() + " " + reply.body()
              + " instead of " + expected);
        }
        asked++;
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(asked).isEqualTo(server.api().routes().size() * Caller.values().length);
    assertThat(server.get(MINE + "/jobs/stays").status()).isEqualTo(200);
  }

  @Test
  void a_question_for_the_head_alone_passes_the_same_gate() {
    for (Route route : server.api().routes()) {
      if (!route.changes()) {
        int anonymous = ask(Caller.ANONYMOUS, "HEAD", path(route), "").status();
        int foreign = ask(Caller.FOREIGN_ADMIN, "HEAD", path(route), "").status();
        assertThat(anonymous).as(route.name()).isIn(codes(route, Caller.ANONYMOUS));
        assertThat(foreign).as(route.name()).isIn(codes(route, Caller.FOREIGN_ADMIN));
      }
      Reply options = ask(Caller.ANONYMOUS, "OPTIONS", path(route), "");
      assertThat(options.status()).as(route.name()).isEqualTo(204);
      assertThat(options.header("allow").orElse("")).contains(route.method().name());
      assertThat(options.header("access-control-allow-origin")).isEmpty();
    }
  }

  private static List<Integer> codes(Route route, Caller caller) {
    return refusal(route, caller).map(List::of).orElse(List.of(200, 400, 404));
  }

  @Nested
  class The_fence_of_a_namespace {
    private Reply theirs(String method, String path, String body) {
      return ask(Caller.FOREIGN_ADMIN, method, path, body);
    }

    @Test
    void hides_other_namespaces_from_lists_and_from_who_am_I() {
      assertThat(theirs("GET", "/api/v1/namespaces", "").body().toString())
          .contains("theirs")
          .doesNotContain("mine");
      assertThat(theirs("GET", "/api/v1/me", "").body().path("namespaces").toString())
          .isEqualTo("[\"theirs\"]");
      assertThat(theirs("GET", "/metrics", "").body().path("text").asString())
          .contains("namespace=\"theirs\"")
          .doesNotContain("mine");
      assertThat(server.get("/metrics").body().path("text").asString())
          .contains("namespace=\"theirs\"", "namespace=\"mine\"");
    }

    @Test
    void keeps_tokens_for_other_namespaces_from_being_made_seen_or_revoked() {
      Reply everywhere = theirs(
          "POST",
          THEIRS + "/tokens",
          "{\"name\": \"x\", \"role\": \"viewer\", \"allNamespaces\": true}");
      assertThat(everywhere.status()).isEqualTo(403);
      assertThat(everywhere.field()).isEqualTo("allNamespaces");
      assertThat(theirs(
                  "POST",
                  THEIRS + "/tokens",
                  "{\"name\": \"x\", \"role\": \"viewer\", \"namespace\": \"mine\"}")
              .status())
          .isEqualTo(400);
      Reply made = server.post(MINE + "/tokens", "{\"name\": \"in-mine\", \"role\": \"viewer\"}");
      String id = made.body().path("id").asString();
      assertThat(theirs("GET", THEIRS + "/tokens", "").body().toString())
          .doesNotContain("in-mine")
          .doesNotContain(id);
      assertThat(theirs("DELETE", THEIRS + "/tokens/" + id, "").status()).isEqualTo(404);
      String global = server
          .get("/api/v1/namespaces/theirs/tokens")
          .body()
          .path("items")
          .valueStream()
          .filter(each -> each.path("allNamespaces").asBoolean())
          .map(each -> each.path("id").asString())
          .findFirst()
          .orElseThrow();
      assertThat(theirs("DELETE", THEIRS + "/tokens/" + global, "").status()).isEqualTo(403);
    }

    @Test
    void keeps_the_audit_log_apart_by_page_and_by_cursor() {
      server.put(MINE + "/jobs/hidden-one", LOCAL + "}");
      server.put(MINE + "/jobs/hidden-two", LOCAL + "}");
      String cursor = server.get(MINE + "/audit?limit=1").body().path("next").asString();
      assertThat(cursor).isNotEmpty();
      assertThat(theirs("GET", THEIRS + "/audit?cursor=" + cursor, "").status()).isEqualTo(400);
      assertThat(theirs("GET", THEIRS + "/audit", "").body().toString())
          .doesNotContain("hidden-one");
      assertThat(theirs("GET", "/api/v1/namespaces/belfry.system/audit", "").status())
          .isEqualTo(403);
      assertThat(server.get("/api/v1/namespaces/belfry.system/audit").status()).isEqualTo(200);
    }

    @Test
    void keeps_jobs_tasks_calendars_and_figures_apart() {
      server.put(MINE + "/calendars/ours", "{}");
      String cursor =
          server.put(MINE + "/jobs/first-of-two", LOCAL + "}").body().path("id").asString();
      assertThat(cursor).isEqualTo("first-of-two");
      String calendar = LOCAL + ", \"trigger\": {\"cron\": \"@daily\", \"calendar\": \"ours\"}}";
      assertThat(theirs("PUT", THEIRS + "/jobs/borrows", calendar).field())
          .isEqualTo("trigger.calendar");
      String base = "{\"base\": \"ours\", \"rules\": []}";
      assertThat(theirs("PUT", THEIRS + "/calendars/borrows", base).status()).isEqualTo(400);
      String next = server.get(MINE + "/jobs?limit=1").body().path("next").asString("");
      assertThat(theirs("GET", THEIRS + "/jobs?cursor=" + next, "").body().toString())
          .isEqualTo("{\"items\":[]}");
      server.post(MINE + "/tasks", LOCAL + ", \"id\": \"t1\", \"in\": \"1h\"}");
      assertThat(theirs("GET", THEIRS + "/tasks/t1", "").status()).isEqualTo(404);
      assertThat(theirs("GET", THEIRS + "/tasks?job=stays", "").body().toString())
          .isEqualTo("{\"items\":[]}");
      assertThat(theirs("GET", THEIRS + "/stats?job=stays", "")
              .body()
              .at("/total/succeeded")
              .asInt())
          .isZero();
      assertThat(theirs("POST", THEIRS + "/tasks/t1/cancel", "").status()).isEqualTo(404);
      String after = LOCAL + ", \"trigger\": {\"after\": \"mine/stays\"}}";
      assertThat(theirs("PUT", THEIRS + "/jobs/follows", after).status()).isEqualTo(400);
    }

    @Test
    void keeps_secrets_apart_even_under_the_same_name() {
      server.put(
          MINE + "/secrets/shared", "{\"value\": \"of mine\", \"destinations\": [\"script\"]}");
      assertThat(theirs("GET", THEIRS + "/secrets", "").body().toString()).doesNotContain("shared");
      assertThat(theirs("DELETE", THEIRS + "/secrets/shared", "").status()).isEqualTo(404);
      assertThat(server.get(MINE + "/secrets").body().toString()).contains("shared");
    }

    @Test
    void is_not_climbed_by_names_that_look_like_paths() {
      for (String name : List.of("..", "mine%2fjobs", "theirs%2f..%2fmine", "Mine", "mine%00")) {
        Reply reply = theirs("GET", "/api/v1/namespaces/" + name + "/jobs", "");
        assertThat(reply.status()).as(name).isIn(400, 403, 404);
        assertThat(reply.body().toString()).as(name).doesNotContain("stays");
      }
    }
  }

  @Test
  void every_deed_needs_the_least_role_that_the_table_of_roles_names() {
    assertThat(server
            .post(MINE + "/tasks", LOCAL + ", \"id\": \"waits\", \"in\": \"1h\"}")
            .status())
        .isEqualTo(201);
    assertThat(server
            .post(MINE + "/tasks", LOCAL + ", \"id\": \"ended\", \"in\": \"1h\"}")
            .status())
        .isEqualTo(201);
    server.post(MINE + "/tasks/ended/cancel", "");
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() ->
            server.get(MINE + "/tasks/ended").body().path("state").asString().equals("cancelled"));
    var wrong = new ArrayList<String>();
    for (RoleTable.Deed deed : RoleTable.DEEDS) {
      for (Caller caller : Caller.values()) {
        Reply reply = ask(caller, deed.method(), deed.path(), deed.body());
        boolean forged = caller == Caller.SESSION_WITHOUT_CSRF && !deed.method().equals("GET");
        boolean may = caller.isKnown()
            && !caller.isForeign()
            && !forged
            && caller.role().includes(deed.least());
        int expected = caller.isKnown() ? 403 : 401;
        if (may ? reply.status() >= 300 : reply.status() != expected) {
          wrong.add(
              deed.name() + " for " + caller + " gave " + reply.status() + " " + reply.body());
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void every_task_of_an_array_is_judged_by_itself() {
    List<RoleTable.Deed> submits = RoleTable.DEEDS.stream()
        .filter(deed -> deed.path().equals(MINE + "/tasks"))
        .toList();
    String all =
        submits.stream().map(RoleTable.Deed::body).collect(Collectors.joining(", ", "[", "]"));
    for (Caller caller : List.of(Caller.OPERATOR, Caller.DEVELOPER, Caller.ADMIN)) {
      Reply reply = ask(caller, "POST", MINE + "/tasks", all);
      assertThat(reply.status()).isEqualTo(200);
      for (int i = 0; i < submits.size(); i++) {
        JsonNode result = reply.body().path("results").get(i);
        boolean may = caller.role().includes(submits.get(i).least());
        assertThat(result.path("outcome").asString())
            .as("%s for %s: %s", submits.get(i).name(), caller, result)
            .isEqualTo(may ? "accepted" : "refused");
        if (!may) {
          assertThat(result.at("/error/code").asString()).isEqualTo("forbidden");
        }
      }
    }
  }
}
