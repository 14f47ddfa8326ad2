package io.belfry.server.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belfry.model.InvalidException;
import io.belfry.server.verb.RunningServer.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Scripts on a running server try to read the admin token and the key of secrets. */
class ScriptTheftTest {
  private static final String ROOT = "/api/v1/namespaces/";
  private static final String ENABLED = "executors.script.enabled=true";

  @TempDir
  private Path directory;

  private Path data;

  @BeforeEach
  void open() throws IOException {
    mode(directory, "rwxr-xr-x"); // or else nothing below it could be read anyway
    data = directory.resolve("data");
  }

  private static void mode(Path file, String mode) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private static JsonNode ran(RunningServer server, String namespace, String script) {
    String body = RunningServer.JSON.writeValueAsString(
        Map.of("executor", Map.of("type", "script", "interpreter", "bash", "script", script)));
    Reply submitted = server.post(ROOT + namespace + "/tasks", body);
    assertThat(submitted.status()).isEqualTo(201);
    String at = ROOT + namespace + "/tasks/" + submitted.body().path("id").asString();
    await().atMost(Duration.ofSeconds(20)).until(() -> server.get(at).body().has("ended"));
    return server.get(at).body();
  }

  private static String message(JsonNode task) {
    return task.path("result").path("message").asString("");
  }

  @Test
  void no_way_up_from_their_directory_leads_to_the_data_directory() {
    try (var server = new RunningServer(data, ENABLED)) {
      JsonNode task = ran(
          server,
          "default",
          "echo at $PWD; d=.; for i in 1 2 3 4 5 6 7 8; do cat $d/admin.token $d/secret.key 2> /dev/null;"
              + " d=$d/..; done; true");
      assertThat(message(task))
          .startsWith("at /")
          .doesNotContain(server.admin())
          .doesNotContain(data.toString())
          .hasLineCount(1);
    }
  }

  @Test
  void another_user_reads_neither_keys_nor_tokens_nor_the_environment() throws Exception {
    assumeTrue(isRoot(), "only root can run scripts as another user");
    try (var server = new RunningServer(data, ENABLED, "executors.script.user=nobody")) {
      long pid = ProcessHandle.current().pid();
      JsonNode task = ran(
          server,
          "default",
          "id -un; cat " + data + "/admin.token " + data + "/secret.key; ls -R " + data
              + "; cat /proc/"
              + pid + "/environ /proc/$PPID/environ; ls /proc/" + pid + "/fd /proc/" + pid
              + "/cwd/; kill -9 " + pid + "; true");
      assertThat(task.path("state").asString()).isEqualTo("succeeded");
      assertThat(message(task)).isEqualTo("nobody");
    }
  }

  @Test
  void a_data_directory_that_the_other_user_could_read_is_refused() throws Exception {
    assumeTrue(isRoot(), "only root can run scripts as another user");
    Files.createDirectory(data);
    mode(data, "rwxr-xr-x");
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> new RunningServer(data, ENABLED, "executors.script.user=nobody"))
        .withMessageStartingWith("executors.script.user must not be able to read " + data)
        .withMessageContaining("chmod 700");
  }

  @Test
  void their_directory_is_never_below_the_data_directory() {
    for (Path wrong :
        List.of(data, data.resolve("scripts"), directory, data.resolve("../data/x"))) {
      assertThatExceptionOfType(InvalidException.class)
          .as(wrong.toString())
          .isThrownBy(() -> new RunningServer(data, ENABLED, "executors.script.directory=" + wrong))
          .withMessageContaining("must not be inside the data directory");
    }
  }

  @Test
  void a_link_into_the_data_directory_is_seen_through() throws Exception {
    Files.createDirectory(data);
    Path link = Files.createSymbolicLink(directory.resolve("link"), data);
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> new RunningServer(
            data, ENABLED, "executors.script.directory=" + link.resolve("scripts")))
        .withMessageContaining("must not be inside the data directory");
  }

  @Test
  void only_namespaces_that_are_listed_run_scripts() {
    try (var server = new RunningServer(data, ENABLED, "namespaces=default,other")) {
      assertThat(message(ran(server, "default", "echo hello"))).isEqualTo("hello");
      JsonNode task = ran(server, "other", "echo hello");
      assertThat(task.path("state").asString()).isEqualTo("failed");
      assertThat(task.path("error").asString())
          .contains("namespace other")
          .contains("executors.script.namespaces");
    }
    try (var server = new RunningServer(
        directory.resolve("data2"),
        ENABLED,
        "namespaces=default,other",
        "executors.script.namespaces=*")) {
      assertThat(message(ran(server, "other", "echo hello"))).isEqualTo("hello");
    }
  }

  @Test
  void variables_of_the_server_do_not_reach_them() {
    try (var server = new RunningServer(data, ENABLED)) {
      assertThat(message(ran(server, "default", "compgen -e | sort | tr '\\n' ' '"))
              .split(" ", -1))
          .contains("BELFRY_TASK", "PATH")
          .allMatch(name -> List.of(
                  "BELFRY_ATTEMPT",
                  "BELFRY_IDEMPOTENCY_KEY",
                  "BELFRY_JOB",
                  "BELFRY_MARK",
                  "BELFRY_NAMESPACE",
                  "BELFRY_PAYLOAD_FILE",
                  "BELFRY_SCHEDULED",
                  "BELFRY_TASK",
                  "BELFRY_TOKEN",
                  "HOME",
                  "LANG",
                  "OLDPWD",
                  "PATH",
                  "PWD",
                  "SHLVL",
                  "TMPDIR",
                  "TRACEPARENT",
                  "_")
              .contains(name));
    }
  }

  private static boolean isRoot() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
  }
}
