package io.belfry.executors.script;

import static io.belfry.executors.script.Scripts.bash;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belfry.executors.TestAttempt;
import io.belfry.executors.script.Scripts.Background;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Attempts that are stopped while their process is being started, before it is what it is to be. */
@Timeout(120)
class StartTest {
  @TempDir
  private Path folder;

  private Path started;

  @BeforeEach
  void make() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    started = folder.resolve("started");
  }

  /** Whatever of this test still runs is ended, so that a failure leaves nothing behind. */
  @AfterEach
  void nothing_is_left_behind() {
    List<ProcessHandle> left = running();
    left.forEach(ProcessHandle::destroyForcibly);
    assertThat(left).isEmpty();
  }

  private List<ProcessHandle> running() {
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains("hidden-in-" + folder))
        .toList();
  }

  /**
   * A program that hangs in the middle of a start, where the server can look into neither its variables nor its folder nor its files, as
   * without CAP_SYS_PTRACE.
   */
  private ScriptRules slow(String program, String when) throws IOException {
    ScriptRules rules = Scripts.rules(folder);
    Path tools = Files.createDirectory(folder.resolve("tools"));
    Path real = rules.tool(program);
    Path slow =
        Files.writeString(tools.resolve(program), """
        #!/bin/sh
        case "$*" in *%s*) ;; *) exec %s "$@" ;; esac
        cd /
        exec env -i /bin/sh -c 'touch %s; while :; do sleep 0.1; done' 'hidden-in-%s' < /dev/null > /dev/null 2>&1
        """.formatted(when, real, started, folder));
    Files.setPosixFilePermissions(slow, PosixFilePermissions.fromString("rwxr-xr-x"));
    return rules.withTools(
        Stream.concat(Stream.of(tools), rules.tools().stream()).toList());
  }

  private void stop(Scripts scripts) throws Exception {
    Background run = scripts.inBackground(TestAttempt.of(bash("echo never")));
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Files.exists(started) || run.thrown().isDone());
    run.thread().interrupt();
    assertThat(run.thrown().get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    assertThat(running()).isEmpty();
    assertThat(scripts.leftovers()).isEmpty();
  }

  @Test
  void a_process_without_a_session_yet_ends_with_the_attempt() throws Exception {
    stop(new Scripts(slow("setsid", "/script*")));
  }

  @Test
  void a_process_that_changes_its_user_ends_with_the_attempt() throws Exception {
    assumeTrue(ScriptUser.own() == 0, "only root can run programs as another user");
    Files.createDirectory(folder.resolve("temp"));
    Files.setPosixFilePermissions(
        folder.resolve("temp"), PosixFilePermissions.fromString("rwx--x--x"));
    ScriptRules rules = slow("setpriv", "/script*");
    stop(new Scripts(rules.withUser("nobody", List.of())));
  }
}
