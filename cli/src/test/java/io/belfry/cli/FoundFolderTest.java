package io.belfry.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.belfry.cli.Terminal.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A checkout contains its own folder belfry-data: its content must not make a command send tokens or files of the user anywhere. */
class FoundFolderTest {
  private static final String SECRET = "bft_another-server-trusts-it";

  @TempDir
  Path home;

  private Path checkout;
  private Path data;

  @BeforeEach
  void make() throws IOException {
    checkout = Files.createDirectory(home.resolve("checkout"));
    data = Files.createDirectory(checkout.resolve("belfry-data"));
  }

  private static Path write(Path file, String text, String mode) throws IOException {
    Files.writeString(file, text + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private Path address(String url) throws IOException {
    return write(data.resolve("server.url"), url, "rw-------");
  }

  private Path token(String text) throws IOException {
    return write(data.resolve("admin.token"), text, "rw-------");
  }

  private Ran list(String... more) {
    var words = new String[2 + more.length];
    words[0] = "job";
    words[1] = "list";
    System.arraycopy(more, 0, words, 2, more.length);
    return Terminal.nowhere().in(checkout).run(words);
  }

  private static void assertRefused(Ran ran, StandIn thief, String... said) {
    assertThat(thief.asked()).isEmpty();
    assertThat(ran.exit()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .startsWith("belfry: ")
        .contains(said)
        .contains("BELFRY_URL")
        .contains("BELFRY_TOKEN")
        .doesNotContain(SECRET);
  }

  @ParameterizedTest
  @ValueSource(strings = {"absolute", "relative"})
  void a_token_that_is_a_link_to_another_file_of_the_user_is_not_read(String kind)
      throws IOException {
    Path other = write(home.resolve(".vault-token"), SECRET, "rw-------");
    Path target = kind.equals("absolute") ? other : Path.of("../../.vault-token");
    Files.createSymbolicLink(data.resolve("admin.token"), target);
    try (var thief = new StandIn()) {
      address(thief.url());
      assertRefused(list(), thief, "admin.token", "symbolic link");
      assertRefused(list("--data", data.toString()), thief, "admin.token", "symbolic link");
    }
  }

  @Test
  void an_address_that_is_a_link_is_not_read() throws IOException {
    token(StandIn.TOKEN);
    try (var thief = new StandIn()) {
      Files.createSymbolicLink(
          data.resolve("server.url"), write(home.resolve("elsewhere"), thief.url(), "rw-------"));
      assertRefused(list(), thief, "server.url", "symbolic link");
    }
  }

  /** With such a link, commands copied from a checkout would reach another server of the user. */
  @Test
  void a_folder_that_is_a_link_is_not_followed_unless_it_is_named() throws IOException {
    try (var server = new StandIn()) {
      address(server.url());
      token(StandIn.TOKEN);
      Path real = Files.move(data, home.resolve("real"));
      Files.createSymbolicLink(data, real);
      assertRefused(list(), server, "belfry-data is a symbolic link", "--data");
      assertThat(list("--data", data.toString()).exit()).isZero();
    }
  }

  @Test
  void nothing_but_a_token_of_belfry_is_sent() throws IOException {
    token("hvs.vault-has-such-tokens");
    try (var thief = new StandIn()) {
      address(thief.url());
      Ran ran = list();
      assertRefused(ran, thief, "admin.token", "bft_");
      assertThat(ran.err()).doesNotContain("hvs.");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "admin.token, rw-r--r--",
    "admin.token, rw-r-----",
    "admin.token, rw-----w-",
    "server.url, rw-rw-rw-",
    "server.url, rw--w----"
  })
  void a_file_that_others_can_read_or_write_is_refused(String name, String mode)
      throws IOException {
    try (var thief = new StandIn()) {
      address(thief.url());
      token(StandIn.TOKEN);
      Path file = data.resolve(name);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      assertRefused(list(), thief, name, mode, "chmod 600");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      assertThat(list().exit()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"server.url", "admin.token"})
  void a_file_of_another_user_is_refused(String name) throws IOException {
    assumeThat(Files.getOwner(data).getName()).isEqualTo("root"); // others cannot give files away
    UserPrincipal stranger =
        data.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("54321");
    try (var thief = new StandIn()) {
      address(thief.url());
      token(StandIn.TOKEN);
      Files.setOwner(data.resolve(name), stranger);
      assertRefused(list(), thief, name, "54321");
    }
  }

  /** Root manages servers of other users; both files must belong to the same user. */
  @Test
  void root_may_name_the_folder_of_another_user() throws IOException {
    assumeThat(Files.getOwner(data).getName()).isEqualTo("root");
    UserPrincipal belfry =
        data.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("54321");
    try (var server = new StandIn()) {
      Path address = address(server.url());
      Path token = token(StandIn.TOKEN);
      Files.setOwner(address, belfry);
      assertRefused(list("--data", data.toString()), server, "admin.token", "54321");
      Files.setOwner(token, belfry);
      assertThat(list("--data", data.toString()).exit()).isZero();
      assertThat(list().err()).contains("54321");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://thief.invalid:8080",
        "http://127.0.0.1.thief.invalid",
        "http://localhost.thief.invalid",
        "https://192.0.2.7",
        "http://[2001:db8::1]:8080",
        "http://127.0.0.1:1,http://thief.invalid"
      })
  void an_address_elsewhere_than_on_this_machine_must_be_named(String url) throws IOException {
    address(url);
    token(StandIn.TOKEN);
    Ran ran = list();
    assertThat(ran.exit()).isEqualTo(1);
    assertThat(ran.err())
        .startsWith("belfry: ")
        .contains("server.url")
        .contains("is not a loopback address")
        .contains("--data")
        .contains("--url")
        .contains("BELFRY_URL")
        .contains("BELFRY_TOKEN");
  }

  @Test
  void a_token_that_was_only_found_does_not_go_elsewhere_even_if_the_address_is_named()
      throws IOException {
    address("http://belfry.invalid:8080");
    token(StandIn.TOKEN);
    Ran ran = Terminal.nowhere()
        .in(checkout)
        .with("BELFRY_URL", "http://belfry.invalid:8080")
        .run("job", "trigger", "a");
    assertThat(ran.exit()).isEqualTo(1);
    assertThat(ran.err()).contains("is not a loopback address").contains("BELFRY_TOKEN");
  }

  @Test
  void a_folder_that_was_named_may_name_any_address() throws IOException {
    address("http://belfry.invalid:1");
    token(StandIn.TOKEN);
    Ran ran = Terminal.nowhere().in(checkout).run("job", "trigger", "a", "--data", data.toString());
    assertThat(ran.err()).startsWith("belfry: No response from http://belfry.invalid:1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://localhost:PORT", "http://127.0.0.1:PORT/", "http://0.0.0.0:PORT"})
  void a_server_of_this_machine_is_found(String url) throws IOException {
    try (var server = new StandIn()) {
      address(url.replace("PORT", server.url().substring(server.url().lastIndexOf(':') + 1)));
      token(StandIn.TOKEN);
      assertThat(list().exit()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"server.url", "admin.token"})
  void a_file_without_end_is_not_read_to_its_end(String name) throws IOException {
    try (var thief = new StandIn()) {
      address(thief.url());
      token(StandIn.TOKEN);
      write(data.resolve(name), "bft_" + "x".repeat(1 << 20), "rw-------");
      assertRefused(list(), thief, name, "at most");
    }
  }

  @Test
  void what_is_no_file_is_not_read() throws IOException {
    Files.createDirectory(data.resolve("server.url"));
    assertThat(list().err()).contains("server.url must be a regular file");
  }
}
