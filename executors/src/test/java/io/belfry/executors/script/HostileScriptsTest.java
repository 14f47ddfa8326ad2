package io.belfry.executors.script;

import static io.belfry.executors.script.Scripts.bash;
import static io.belfry.executors.script.Scripts.python;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.belfry.core.execute.AttemptException;
import io.belfry.executors.TestAttempt;
import io.belfry.executors.script.Scripts.Background;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.task.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scripts that do not want to end, or want to be a nuisance; real processes. */
@Timeout(180)
class HostileScriptsTest {
  @TempDir
  private Path folder;

  private Scripts scripts;
  private Path started;

  @BeforeEach
  void make() throws IOException {
    scripts = new Scripts(Scripts.rules(folder));
    started = folder.resolve("started");
  }

  @AfterEach
  void nothing_is_left_behind() throws IOException {
    assertThat(scripts.leftovers()).isEmpty();
    assertThat(survivors()).isEmpty();
  }

  /** Processes that carry the name of this test's folder in their environment. */
  private List<String> survivors() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc"))) {
      return all.filter(process -> process.getFileName().toString().matches("\\d+"))
          .filter(process -> read(process.resolve("environ")).contains("BELFRY_MARK=")
              && read(process.resolve("environ")).contains(folder.toString())
              && !read(process.resolve("stat")).matches("(?s).*\\) [ZX] .*"))
          .map(process -> process + " " + read(process.resolve("cmdline")))
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), ISO_8859_1);
    } catch (IOException e) {
      return ""; // it ended meanwhile
    }
  }

  /** Runs until the script has made its sign, and then stops it. */
  private TestAttempt stop(ExecutorSpec spec) throws Exception {
    var attempt = TestAttempt.of(spec);
    Background run = scripts.inBackground(attempt);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Files.exists(started) || run.thrown().isDone());
    run.thread().interrupt();
    assertThat(run.thrown().get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    return attempt;
  }

  private String sign() {
    return "touch " + started + "; ";
  }

  @Nested
  class Stopped {
    @Test
    void a_script_may_clean_up_after_itself() throws Exception {
      Path cleaned = folder.resolve("cleaned");
      stop(bash(
          "trap 'touch " + cleaned + "; exit 0' TERM; " + sign() + "while :; do sleep 0.05; done"));
      assertThat(cleaned).exists();
    }

    @Test
    void a_script_that_ignores_the_signal_is_killed() throws Exception {
      stop(bash("trap '' TERM INT HUP; " + sign() + "while :; do sleep 0.05; done"));
    }

    @Test
    void children_and_their_children_end_with_it() throws Exception {
      stop(bash("(sleep 1000 & sleep 1000 & (sleep 1000 & wait)) & (trap '' TERM; sleep 1000) & "
          + sign() + "wait"));
    }

    @Test
    void a_daemon_that_left_the_session_ends_with_it() throws Exception {
      stop(bash(
          "setsid bash -c 'setsid sleep 1000 & disown; trap \"\" TERM; sleep 1000' > /dev/null 2>&1 & "
              + sign() + "sleep 1000"));
    }

    @Test
    void a_daemon_of_two_forks_ends_with_it() throws Exception {
      stop(python("""
          import os, time, signal
          if os.fork() == 0:
              os.setsid()
              if os.fork() == 0:
                  os.chdir('/')
                  signal.signal(signal.SIGTERM, signal.SIG_IGN)
                  for fd in range(3): os.close(fd)
                  open('%s', 'w').close()
                  time.sleep(1000)
              os._exit(0)
          time.sleep(1000)
          """.formatted(started)));
    }

    @Test
    void a_daemon_without_an_environment_is_known_by_where_it_works() throws Exception {
      stop(
          bash("env -i setsid sleep 98765 > /dev/null 2>&1 & sleep 0.2; " + sign() + "sleep 1000"));
      assertThat(running("sleep 98765")).isEmpty();
    }

    @Test
    void a_daemon_that_hides_is_known_by_the_output_that_it_holds() throws Exception {
      stop(bash("cd /; env -i setsid sleep 98766 & sleep 0.2; " + sign() + "sleep 1000"));
      assertThat(running("sleep 98766")).isEmpty();
    }

    private List<String> running(String command) {
      return ProcessHandle.allProcesses()
          .map(process -> process.info().commandLine().orElse(""))
          .filter(line -> line.endsWith(command))
          .toList();
    }

    @Test
    void a_script_that_stopped_itself_is_killed() throws Exception {
      stop(bash(sign() + "kill -STOP $$"));
    }

    @Test
    void many_processes_that_breed_are_all_killed() throws Exception {
      stop(python("""
          import os, time, signal
          signal.signal(signal.SIGTERM, signal.SIG_IGN)
          signal.signal(signal.SIGCHLD, signal.SIG_IGN)
          open('%s', 'w').close()
          for i in range(20):
              if os.fork() == 0:
                  while True:
                      if os.fork() == 0:
                          time.sleep(0.05)
                          os._exit(0)
                      time.sleep(0.05)
          time.sleep(1000)
          """.formatted(started)));
    }

    @Test
    void an_attempt_that_was_cancelled_before_starts_nothing() throws Exception {
      var thrown = new CompletableFuture<Throwable>();
      Thread.ofVirtual().start(() -> {
        Thread.currentThread().interrupt();
        thrown.complete(
            catchThrowable(() -> scripts.executor.execute(TestAttempt.of(bash(sign())))));
      });
      assertThat(thrown.get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
      assertThat(started).doesNotExist();
    }

    @Test
    void a_second_interruption_does_not_leave_it_half_dead() throws Exception {
      var attempt =
          TestAttempt.of(bash("trap '' TERM; " + sign() + "while :; do sleep 0.05; done"));
      Background run = scripts.inBackground(attempt);
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(started));
      while (!run.thrown().isDone()) {
        run.thread().interrupt();
        Thread.onSpinWait();
      }
      assertThat(run.thrown().get()).isInstanceOf(InterruptedException.class);
    }
  }

  @Nested
  class Ending {
    @Test
    void what_runs_on_in_the_background_ends_with_the_script() throws Exception {
      Result result = scripts.run(
          bash("sleep 1000 & (trap '' TERM; sleep 1000) & setsid sleep 1000 & echo started"));
      assertThat(result.message()).isEqualTo("started");
    }

    @Test
    void a_script_that_closes_its_output_is_still_waited_for() throws Exception {
      Path end = folder.resolve("end");
      Result result = scripts.run(bash("echo first; exec >&- 2>&-; sleep 0.5; touch " + end));
      assertThat(result.message()).isEqualTo("first");
      assertThat(end).exists();
    }

    @Test
    void a_script_that_reads_its_input_for_ever_finds_its_end() throws Exception {
      assertThat(
              scripts.run(bash("while read line; do :; done; cat; echo over")).message())
          .isEqualTo("over");
    }
  }

  @Nested
  class Output {
    @Test
    void of_a_flood_is_passed_on_and_only_its_end_is_kept() throws Exception {
      var attempt =
          TestAttempt.of(bash("yes 'a line of some length' | head -c 60000000; echo; echo end"));
      Result result = scripts.executor.execute(attempt);
      assertThat(result.message()).endsWith("end").hasSizeLessThanOrEqualTo(4096);
      assertThat(result.data().isEmpty()).isTrue();
      assertThat(attempt.lines()).isGreaterThan(2_000_000);
    }

    @Test
    void of_one_endless_line_is_cut() throws Exception {
      var attempt = TestAttempt.of(bash("head -c 30000000 /dev/zero | tr '\\0' x; echo; echo end"));
      Result result = scripts.executor.execute(attempt);
      assertThat(result.message()).hasSizeLessThan(4100).endsWith("… (truncated)\nend");
      assertThat(attempt.logged()).hasSize(2);
      assertThat(attempt.logged().getFirst()).hasSizeLessThan(4100).endsWith("… (truncated)");
    }

    @Test
    void of_binary_garbage_is_shown_as_text() throws Exception {
      var attempt = TestAttempt.of(
          bash("head -c 200000 /dev/urandom; printf '\\033[31mred\\007\\0'; echo; echo end"));
      Result result = scripts.executor.execute(attempt);
      assertThat(result.message()).endsWith("end");
      assertThat(attempt.logged())
          .allMatch(line -> line.chars().noneMatch(c -> Character.isISOControl(c) && c != '\t'));
      assertThat(result.data().isEmpty()).isTrue();
    }

    @Test
    void with_all_kinds_of_line_ends_is_split() throws Exception {
      var attempt = TestAttempt.of(bash("printf 'a\\r\\nb\\rc\\n\\nd'"));
      scripts.executor.execute(attempt);
      assertThat(attempt.logged()).containsExactly("a", "b", "c", "", "d");
    }

    @Test
    void is_seen_while_the_script_runs() throws Exception {
      var attempt = TestAttempt.of(bash("echo early; sleep 1000"));
      Background run = scripts.inBackground(attempt);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> attempt.logged().contains("early"));
      assertThat(run.thrown()).isNotDone();
      run.thread().interrupt();
      assertThat(run.thrown().get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void a_script_without_rights_in_its_folder_is_still_cleaned_up()
      throws AttemptException, InterruptedException {
    scripts.run(bash("mkdir -p a/b/c; touch a/b/c/d; chmod 000 a/b/c a/b a; chmod 500 ."));
  }

  @Test
  void scripts_side_by_side_do_not_end_each_other() throws Exception {
    var first = TestAttempt.of(bash(sign() + "sleep 1; echo survived"));
    Background stopped =
        scripts.inBackground(TestAttempt.of(bash("sleep 1000 & setsid sleep 1000 & sleep 1000")));
    var result = new CompletableFuture<Result>();
    Thread.ofVirtual().start(() -> {
      try {
        result.complete(scripts.executor.execute(first));
      } catch (Exception e) {
        result.completeExceptionally(e);
      }
    });
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(started));
    stopped.thread().interrupt();
    assertThat(stopped.thrown().get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    assertThat(result.get(60, TimeUnit.SECONDS).message()).isEqualTo("survived");
  }
}
