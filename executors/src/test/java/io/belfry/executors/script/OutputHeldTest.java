package io.belfry.executors.script;

import static io.belfry.executors.script.Scripts.bash;
import static io.belfry.executors.script.Scripts.python;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.executors.TestAttempt;
import io.belfry.executors.script.Scripts.Background;
import io.belfry.model.task.Result;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that hold the output of a script and do not belong to it. */
@Timeout(120)
class OutputHeldTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir
  private Path folder;

  private Scripts scripts;
  private Path pid;
  private Path held;

  @BeforeEach
  void make() throws IOException {
    scripts = new Scripts(Scripts.rules(folder));
    pid = folder.resolve("pid");
    held = folder.resolve("held");
  }

  private String telling() {
    return "echo $$ > " + pid + ".part; mv " + pid + ".part " + pid + "; ";
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("belfry-script") || name.startsWith("process reaper (pid"))
        .sorted()
        .toList();
  }

  private static List<String> pipes() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.map(OutputHeldTest::link)
          .filter(link -> link.startsWith("pipe:") || link.contains("/belfry-"))
          .sorted()
          .toList();
    }
  }

  private static String link(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile
    }
  }

  @Test
  void an_older_script_that_opens_the_output_of_a_newer_one_costs_the_server_nothing()
      throws Exception {
    Background older = scripts.inBackground(TestAttempt.of(python("""
        import os, time
        while not os.path.exists('%1$s'): time.sleep(0.05)
        of = '/proc/' + open('%1$s').read().strip() + '/fd/'
        taken = [os.open(of + fd, os.O_WRONLY) for fd in '12']
        open('%2$s', 'w').close()
        time.sleep(1000)
        """.formatted(pid, held))));
    Awaitility.await().atMost(SOON).until(() -> threads().size() == 3);
    List<String> threads = threads();
    List<String> pipes = pipes();
    var attempt = TestAttempt.of(
        bash(telling() + "while [ ! -e " + held + " ]; do sleep 0.05; done; echo done"));
    Result result = scripts.executor.execute(attempt);
    assertThat(result.message()).isEqualTo("done");
    assertThat(attempt.logged())
        .anyMatch(line -> line.contains("a process that Belfry cannot find still holds it open"));
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(threads()).isEqualTo(threads));
    assertThat(pipes()).isEqualTo(pipes);
    assertThat(older.thrown()).as("the older one goes on").isNotDone();
    older.thread().interrupt();
    assertThat(older.thrown().get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
  }

  /** As a process does for a moment that the server is just about to start, because it has all open files of the server. */
  @Test
  void a_process_that_the_server_starts_meanwhile_is_not_taken_for_one_of_the_script()
      throws Exception {
    Background script = scripts.inBackground(TestAttempt.of(bash(telling() + "sleep 1000")));
    Awaitility.await().atMost(SOON).until(() -> Files.exists(pid));
    var output = new File("/proc/" + Files.readString(pid).strip() + "/fd/1");
    Process other = new ProcessBuilder("sleep", "1000")
        .redirectOutput(Redirect.appendTo(output))
        .start();
    try {
      script.thread().interrupt();
      assertThat(script.thrown().get(60, TimeUnit.SECONDS))
          .isInstanceOf(InterruptedException.class);
      assertThat(other.isAlive()).isTrue();
    } finally {
      other.destroyForcibly();
    }
  }
}
