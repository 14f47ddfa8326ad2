package io.belfry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.cli.Terminal.Ran;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionTest {
  @TempDir
  Path data;

  private static String nobody() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "http://127.0.0.1:" + socket.getLocalPort();
    }
  }

  private void local(StandIn server) throws IOException {
    for (String name : new String[] {"server.url", "admin.token"}) {
      Files.createFile(
          data.resolve(name),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    Files.writeString(data.resolve("server.url"), server.url() + "\n");
    Files.writeString(data.resolve("admin.token"), StandIn.TOKEN + "\n");
  }

  @Test
  void flags_win_over_variables() throws IOException {
    try (var server = new StandIn()) {
      Ran ran = Terminal.nowhere()
          .with("BELFRY_URL", nobody())
          .with("BELFRY_TOKEN", "wrong")
          .with("BELFRY_NAMESPACE", "other")
          .run("job", "list", "--url", server.url(), "--token", StandIn.TOKEN, "-n", "default");
      assertThat(ran.exit()).isZero();
    }
  }

  @Test
  void the_namespace_may_come_from_a_variable() {
    try (var server = new StandIn()) {
      Terminal.at(server).with("BELFRY_NAMESPACE", "billing").run("job", "list");
      assertThat(server.asked().getFirst().address()).isEqualTo("/api/v1/namespaces/billing/jobs");
    }
  }

  @Test
  void a_local_server_is_found_by_its_data_directory() throws IOException {
    try (var server = new StandIn()) {
      local(server);
      Ran ran = Terminal.nowhere().run("job", "list", "--data", data.toString());
      assertThat(ran.exit()).isZero();
    }
  }

  @Test
  void a_token_may_lie_in_a_file() throws IOException {
    Path file = Files.writeString(data.resolve("ci.token"), StandIn.TOKEN + "\n");
    try (var server = new StandIn()) {
      Ran ran = Terminal.nowhere()
          .run("job", "list", "--url", server.url(), "--token-file", file.toString());
      assertThat(ran.exit()).isZero();
    }
  }

  @Test
  void the_token_of_a_local_server_does_not_go_to_another() throws IOException {
    try (var server = new StandIn();
        var other = new StandIn()) {
      local(server);
      Ran ran =
          Terminal.nowhere().run("job", "list", "--data", data.toString(), "--url", other.url());
      assertThat(ran.exit()).isEqualTo(1);
      assertThat(ran.err())
          .contains("No token for " + other.url())
          .contains("is for another server");
      assertThat(other.asked()).isEmpty();
    }
  }

  @Test
  void a_server_of_the_current_folder_is_found_with_its_own_token() throws IOException {
    Path here = data.resolve("here");
    data = Files.createDirectories(here.resolve("belfry-data"));
    try (var server = new StandIn()) {
      local(server);
      assertThat(Terminal.nowhere().in(here).run("job", "list").exit()).isZero();
    }
  }

  @Test
  void a_token_of_the_user_does_not_go_to_an_address_that_was_only_found_in_the_current_folder()
      throws IOException {
    Path checkout = data.resolve("checkout");
    data = Files.createDirectories(checkout.resolve("belfry-data"));
    Path file = Files.writeString(checkout.resolve("my.token"), StandIn.TOKEN);
    try (var thief = new StandIn()) {
      local(thief);
      Ran ran =
          Terminal.nowhere().in(checkout).with("BELFRY_TOKEN", StandIn.TOKEN).run("job", "list");
      assertThat(ran.exit()).isEqualTo(1);
      assertThat(ran.err())
          .startsWith("belfry: The token from BELFRY_TOKEN is not sent to " + thief.url())
          .contains("server.url")
          .contains("--url")
          .contains("unset BELFRY_TOKEN");
      Terminal.nowhere().in(checkout).run("job", "list", "--token", StandIn.TOKEN);
      Terminal.nowhere().in(checkout).run("job", "list", "--token-file", file.toString());
      assertThat(thief.asked()).isEmpty();
      Ran meant = Terminal.nowhere()
          .in(checkout)
          .with("BELFRY_TOKEN", StandIn.TOKEN)
          .run("job", "list", "--url", thief.url());
      assertThat(meant.exit()).isZero();
    }
  }

  @Test
  void a_missing_address_is_a_clear_error() {
    Ran ran = Terminal.nowhere().run("job", "list", "--data", data.toString());
    assertThat(ran.exit()).isEqualTo(1);
    assertThat(ran.err())
        .startsWith("belfry: No server address: neither --url nor BELFRY_URL is set")
        .contains("belfry server");
  }

  @Test
  void an_unreachable_server_is_reported_with_the_source_of_its_address() throws IOException {
    String url = nobody();
    Ran ran = Terminal.nowhere()
        .with("BELFRY_URL", url)
        .with("BELFRY_TOKEN", "t")
        .run("job", "trigger", "a");
    assertThat(ran.exit()).isEqualTo(1);
    assertThat(ran.err())
        .isEqualTo("belfry: No response from " + url
            + " (connection refused). The address is from BELFRY_URL.\n");
  }

  @Test
  void a_lost_response_is_reported_as_an_unknown_outcome() {
    try (var server = new StandIn().on("POST tasks/01k8fgq2/retry", exchange -> exchange.close())) {
      Ran ran = Terminal.at(server).run("task", "retry", "01k8fgq2");
      assertThat(ran.exit()).isEqualTo(1);
      assertThat(ran.err()).contains("It may or may not have taken effect");
    }
  }

  @Test
  void an_invalid_response_is_a_clear_error() {
    try (var server = new StandIn()
        .on("GET jobs", 200, "<html>")
        .on("GET tasks", 500, "java.lang.NullPointerException\\n\\tat x.y.Z")) {
      assertThat(Terminal.at(server).run("job", "list").err()).contains("not from a Belfry server");
      Ran broken = Terminal.at(server).run("task", "list");
      assertThat(broken.exit()).isEqualTo(1);
      assertThat(broken.err())
          .contains("answered 500 without an error document")
          .doesNotContain("at x.y");
    }
  }

  @Test
  void the_next_server_of_the_cluster_is_called() throws IOException {
    try (var server = new StandIn()) {
      Ran ran = Terminal.nowhere()
          .with("BELFRY_URL", nobody() + ", " + server.url())
          .with("BELFRY_TOKEN", StandIn.TOKEN)
          .run("task", "list");
      assertThat(ran.exit()).isZero();
    }
  }

  @Test
  void two_tokens_are_refused() {
    Ran ran = Terminal.nowhere()
        .run("job", "list", "--url", "http://x", "--token", "t", "--token-file", "f");
    assertThat(ran.exit()).isEqualTo(1);
    assertThat(ran.err()).startsWith("belfry: --token and --token-file cannot be combined");
  }

  @Test
  void an_invalid_address_is_refused_before_a_token_is_read() {
    assertThat(Terminal.nowhere().run("job", "list", "--url", "nonsense").err())
        .contains("must look like http://127.0.0.1:8080");
  }

  @Test
  void a_broken_address_or_token_file_is_refused() throws IOException {
    assertThat(Terminal.nowhere()
            .run("job", "list", "--url", "localhost:1", "--token", "t")
            .err())
        .contains("must look like http://127.0.0.1:8080");
    Path file = Files.writeString(data.resolve("odd"), "a\nb\n");
    assertThat(Terminal.nowhere()
            .run("job", "list", "--url", "http://x", "--token-file", file.toString())
            .err())
        .contains("must hold one line");
  }
}
