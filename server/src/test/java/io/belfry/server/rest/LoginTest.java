package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.server.access.Sessions;
import io.belfry.server.verb.RunningServer;
import io.belfry.server.verb.RunningServer.Reply;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Logging in and out, as attackers do it. */
@Timeout(120)
class LoginTest {
  private static final String NS = "/api/v1/namespaces/default";
  private static final String LOGIN = "/api/v1/login";
  private static final String GUESS = "bft_" + "x".repeat(43);

  @TempDir
  Path data;

  private RunningServer server;

  @BeforeEach
  void start() {
    server =
        new RunningServer(data, "limit.loginRate=10", "server.trustedProxies=127.0.0.1,10.0.0.0/8");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String byToken(String token) {
    return "{\"token\": \"" + token + "\"}";
  }

  private String token(String name, String role) {
    return server
        .post(NS + "/tokens", "{\"name\": \"" + name + "\", \"role\": \"" + role + "\"}")
        .body()
        .path("token")
        .asString();
  }

  private String code(String token) {
    Reply made = server.ask("POST", "/api/v1/login-links", "", token);
    String url = made.body().path("url").asString();
    return url.substring(url.indexOf("code=") + 5);
  }

  private static String cookie(Reply login) {
    String cookie = login.header("set-cookie").orElseThrow();
    return cookie.substring(0, cookie.indexOf(';'));
  }

  private int me(String cookie) {
    return server.ask("GET", "/api/v1/me", "", "", "Cookie", cookie).status();
  }

  @Test
  void bad_logins_of_others_behind_the_same_proxy_do_not_keep_a_valid_token_out() {
    for (int i = 0; i < 30; i++) {
      server.ask("POST", LOGIN, byToken(GUESS), "");
    }
    assertThat(server.ask("POST", LOGIN, byToken(GUESS), "").status()).isEqualTo(429);
    assertThat(server.ask("POST", LOGIN, byToken(server.admin()), "").status()).isEqualTo(200);
    String code = code(server.admin());
    assertThat(server.ask("POST", LOGIN, "{\"code\": \"" + code + "\"}", "").status())
        .isEqualTo(200);
  }

  @Test
  void failures_are_counted_by_the_client_that_a_trusted_proxy_names() {
    for (int i = 0; i < 30; i++) {
      server.ask("POST", LOGIN, byToken(GUESS), "", "X-Forwarded-For", "9.9.9.9, 192.0.2.1");
    }
    assertThat(server
            .ask(
                "POST",
                LOGIN,
                byToken(GUESS),
                "",
                "X-Forwarded-For",
                "1.1.1.1, 192.0.2.1, 10.1.1.1")
            .status())
        .as("what its sender wrote before it changes nothing")
        .isEqualTo(429);
    assertThat(server
            .ask("POST", LOGIN, byToken(GUESS), "", "X-Forwarded-For", "192.0.2.2")
            .status())
        .isEqualTo(401);
  }

  @Test
  void logins_of_one_token_are_bounded_in_rate_and_in_number() {
    String token = token("busy", "viewer");
    List<String> cookies = new ArrayList<>();
    int refused = 0;
    for (int i = 0; i < 100; i++) {
      Reply login = server.ask("POST", LOGIN, byToken(token), "");
      if (login.status() == 429) {
        refused++;
      } else {
        cookies.add(cookie(login));
      }
    }
    assertThat(refused).isGreaterThan(20);
    assertThat(cookies.stream().filter(cookie -> me(cookie) == 200).count())
        .isLessThanOrEqualTo(20);
    assertThat(me(cookies.getLast())).isEqualTo(200);
    assertThat(server.ask("POST", LOGIN, byToken(server.admin()), "").status())
        .as("others go on")
        .isEqualTo(200);
  }

  @Test
  void a_link_does_not_replace_the_session_of_another_without_being_asked_to() {
    String mine = cookie(server.ask("POST", LOGIN, byToken(server.admin()), ""));
    String code = code(token("mallory", "viewer"));
    String body = "{\"code\": \"" + code + "\"}";
    Reply refused = server.ask("POST", LOGIN, body, "", "Cookie", mine);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.field()).isEqualTo("replace");
    assertThat(refused.header("set-cookie")).isEmpty();
    assertThat(refused.body().path("message").asString()).contains("admin").contains("mallory");
    assertThat(me(mine)).isEqualTo(200);
    Reply replaced = server.ask(
        "POST", LOGIN, "{\"code\": \"" + code + "\", \"replace\": true}", "", "Cookie", mine);
    assertThat(replaced.status()).isEqualTo(200);
    assertThat(replaced.body().path("name").asString()).isEqualTo("mallory");
    assertThat(me(mine)).as("the session before has ended").isEqualTo(401);
  }

  /** Otherwise whoever has a cookie for a moment renews the session for ever, and goes on after its owner has logged out. */
  @Test
  void a_session_makes_no_link_by_which_it_would_outlive_itself() {
    String token = token("visitor", "viewer");
    Reply login = server.ask("POST", LOGIN, byToken(token), "");
    String csrf = login.body().path("csrf").asString();
    Reply refused = server.ask(
        "POST", "/api/v1/login-links", "", "", "Cookie", cookie(login), "Belfry-Csrf", csrf);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.body().path("message").asString()).contains("Authorization: Bearer");
    assertThat(refused.body().has("url")).isFalse();
    assertThat(code(token)).as("its token does").isNotEmpty();
  }

  @Test
  void every_login_begins_a_session_of_its_own() {
    String first = cookie(server.ask("POST", LOGIN, byToken(server.admin()), ""));
    Reply again = server.ask("POST", LOGIN, byToken(server.admin()), "", "Cookie", first);
    assertThat(again.status()).isEqualTo(200);
    assertThat(cookie(again)).isNotEqualTo(first);
    assertThat(me(first)).isEqualTo(401);
    Reply fixed = server.ask("POST", LOGIN, byToken(server.admin()), "", "Cookie", "belfry=chosen");
    assertThat(cookie(fixed)).doesNotContain("chosen");
  }

  @Test
  void a_stream_ends_with_the_logout_of_its_session() throws Exception {
    Reply login = server.ask("POST", LOGIN, byToken(server.admin()), "");
    String cookie = cookie(login);
    HttpResponse<InputStream> stream = server.open("GET", NS + "/events", "", "", "Cookie", cookie);
    assertThat(stream.statusCode()).isEqualTo(200);
    String csrf = login.body().path("csrf").asString();
    assertThat(server
            .ask("POST", "/api/v1/logout", "", "", "Cookie", cookie, "Belfry-Csrf", csrf)
            .status())
        .isEqualTo(204);
    long begun = server.program().node().time().nanos();
    try (InputStream in = stream.body()) {
      assertThat(in.readAllBytes()).isNotEmpty();
    }
    assertThat(Duration.ofNanos(server.program().node().time().nanos() - begun))
        .isLessThan(Sessions.REMEMBERED.plusSeconds(2));
  }

  @Test
  void two_revocations_at_once_leave_one_admin_of_all_namespaces() throws Exception {
    String survivor = server.admin();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 30; round++) {
        Reply made = server.ask(
            "POST",
            NS + "/tokens",
            "{\"name\": \"other\", \"role\": \"admin\", \"allNamespaces\": true}",
            survivor);
        assertThat(made.status()).as("round " + round).isEqualTo(201);
        String other = made.body().path("token").asString();
        String first = survivor;
        String mine = idOf(survivor, made.body().path("id").asString());
        List<Callable<Reply>> both = List.of(
            () -> server.ask(
                "DELETE", NS + "/tokens/" + made.body().path("id").asString(), "", first),
            () -> server.ask("DELETE", NS + "/tokens/" + mine, "", other));
        var done = threads.invokeAll(both);
        int a = done.get(0).get().status();
        int b = done.get(1).get().status();
        assertThat(a == 204 && b == 204).as("both revoked in round " + round).isFalse();
        survivor = a == 204 ? first : other;
      }
    }
  }

  private String idOf(String admin, String notThis) {
    return server
        .ask("GET", NS + "/tokens", "", admin)
        .body()
        .path("items")
        .valueStream()
        .filter(each -> each.path("allNamespaces").asBoolean())
        .map(each -> each.path("id").asString())
        .filter(id -> !id.equals(notThis))
        .findFirst()
        .orElseThrow();
  }
}
