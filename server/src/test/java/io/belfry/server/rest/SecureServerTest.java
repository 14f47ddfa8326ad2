package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.server.verb.RunningServer;
import io.belfry.server.verb.RunningServer.Reply;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What browsers are told of a server that they reach over TLS, and of one that they do not. */
class SecureServerTest {
  private static final String[] ADDRESSES = {"/api/v1/me", "/", "/nowhere", "/api/%00", "/healthz"};

  @TempDir
  Path data;

  @Test
  void over_TLS_cookies_are_bound_to_the_host_and_browsers_do_not_come_back_without_it() {
    try (var server = new RunningServer(data, "server.url=https://belfry.example.org")) {
      Reply login =
          server.ask("POST", "/api/v1/login", "{\"token\": \"" + server.admin() + "\"}", "");
      assertThat(login.header("set-cookie").orElseThrow())
          .startsWith("__Host-belfry=")
          .contains("Path=/", "Secure", "HttpOnly", "SameSite=Strict")
          .doesNotContain("Domain");
      for (String address : ADDRESSES) {
        assertThat(server.ask("GET", address, "", "").header("strict-transport-security"))
            .as(address)
            .contains("max-age=31536000");
      }
      String cookie = login.header("set-cookie").orElseThrow();
      String named = cookie.substring(0, cookie.indexOf(';'));
      assertThat(server.ask("GET", "/api/v1/me", "", "", "Cookie", named).status())
          .isEqualTo(200);
      String plain = named.replace("__Host-", "");
      assertThat(server.ask("GET", "/api/v1/me", "", "", "Cookie", plain).status())
          .as("a neighbor could have set it")
          .isEqualTo(401);
    }
  }

  @Test
  void every_answer_carries_the_headers_that_keep_browsers_careful() {
    try (var server = new RunningServer(data)) {
      for (String address : ADDRESSES) {
        Reply reply = server.ask("GET", address, "", "");
        assertThat(reply.header("x-content-type-options")).as(address).contains("nosniff");
        assertThat(reply.header("x-frame-options")).as(address).contains("DENY");
        assertThat(reply.header("referrer-policy")).as(address).contains("no-referrer");
        assertThat(reply.header("cross-origin-opener-policy")).as(address).contains("same-origin");
        assertThat(reply.header("permissions-policy").orElse("")).as(address).contains("camera=()");
        assertThat(reply.header("strict-transport-security")).as(address).isEmpty();
      }
      Reply login =
          server.ask("POST", "/api/v1/login", "{\"token\": \"" + server.admin() + "\"}", "");
      assertThat(login.header("set-cookie").orElseThrow()).startsWith("belfry=");
      assertThat(login.header("cache-control")).contains("no-store");
    }
  }
}
