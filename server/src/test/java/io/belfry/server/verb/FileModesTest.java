package io.belfry.server.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.belfry.model.InvalidException;
import io.belfry.server.config.Config;
import io.belfry.server.config.Problems;
import io.belfry.testkit.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files with secrets that other users of the machine could read or replace keep a server from starting. */
class FileModesTest {
  private static final String KEY = Base64.getEncoder().encodeToString(new byte[32]);

  @TempDir
  private Path directory;

  private static void mode(Path file, String mode) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private static Stream<Arguments> given() {
    return Stream.of("admin.tokenFile", "secret.keyFile", "server.tls.key", "store.tls.key")
        .flatMap(setting -> Stream.of("rw-r--r--", "rw----r--", "rw-rw----", "rw-----w-")
            .map(mode -> Arguments.of(setting, mode)));
  }

  private String problems(String setting, Path file) throws IOException {
    Path other = Files.writeString(directory.resolve("other.pem"), "x");
    Config config = Config.defaults()
        .set("data", directory.resolve("data").toString(), "the test")
        .set(setting + "=" + file);
    if (setting.endsWith("tls.key")) {
      config = config.set(setting.replace("key", "certificate") + "=" + other);
    }
    if (setting.startsWith("store")) {
      config = config.set("store.uri=rediss://127.0.0.1:1").set("store.tls.authority=" + other);
    }
    var problems = new Problems();
    Inspection.of(config, problems);
    return problems.all().toString();
  }

  @ParameterizedTest
  @MethodSource("given")
  void a_file_that_others_can_read_or_write_is_refused(String setting, String mode)
      throws IOException {
    Path file = Files.writeString(directory.resolve("secret"), text(setting));
    mode(file, mode);
    assertThat(problems(setting, file))
        .contains(setting + " must name a file that other users can neither read nor write")
        .contains("chmod 600 " + file)
        .contains(mode)
        .doesNotContain(text(setting));
    for (String good : new String[] {"rw-------", "r--------", "r--r-----", "rw-r-----"}) {
      mode(file, good);
      assertThat(problems(setting, file)).as(good).doesNotContain("other users");
    }
  }

  private static String text(String setting) {
    return setting.startsWith("admin") ? "bft_" + "x".repeat(40) : KEY;
  }

  @Test
  void a_link_is_judged_by_what_it_leads_to() throws IOException {
    Path file = Files.writeString(directory.resolve("secret"), KEY);
    mode(file, "rw-r--r--");
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    assertThat(problems("secret.keyFile", link)).contains("other users");
  }

  @ParameterizedTest
  @ValueSource(strings = {"admin.token", "secret.key"})
  void a_file_of_its_own_must_be_for_its_owner_only(String name) throws IOException {
    Path data = directory.resolve("data");
    new RunningServer(data).close();
    assertThat(Files.getPosixFilePermissions(data))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    for (String mode : new String[] {"rw-r--r--", "rw-r-----", "rw-----w-"}) {
      mode(data.resolve(name), mode);
      assertThatExceptionOfType(InvalidException.class)
          .isThrownBy(() -> new RunningServer(data).close())
          .withMessageContaining("chmod 600 " + data.resolve(name));
    }
    mode(data.resolve(name), "rw-------");
    new RunningServer(data).close();
  }

  @Test
  void a_key_file_holds_one_key_in_each_line() throws IOException {
    byte[] other = new byte[32];
    other[0] = 1;
    Path file = PrivateFile.write(
        directory.resolve("keys"), KEY + "\n\n" + Base64.getEncoder().encodeToString(other) + "\n");
    assertThat(problems("secret.keyFile", file)).isEqualTo("[]");
    PrivateFile.write(file, KEY + "\n" + KEY + "\n");
    assertThat(problems("secret.keyFile", file)).contains("each key once");
    PrivateFile.write(file, KEY + "\nno base64!\n");
    assertThat(problems("secret.keyFile", file)).contains("must contain keys in base64");
    PrivateFile.write(file, "\n");
    assertThat(problems("secret.keyFile", file)).contains("must contain 1 to 10 keys");
  }
}
