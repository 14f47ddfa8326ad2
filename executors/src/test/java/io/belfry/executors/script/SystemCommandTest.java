package io.belfry.executors.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.belfry.executors.script.SystemCommand.Ended;
import io.belfry.model.time.Time;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs that any script may stop, and that must not hold up whoever runs them. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SystemCommandTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir
  private Path folder;

  private SystemCommand tool;
  private Path begun;

  @BeforeEach
  void make() throws IOException {
    tool = SystemCommand.of(Scripts.rules(folder), Time.system());
    begun = folder.resolve("begun");
  }

  /** What was killed takes a moment to be gone. */
  @AfterEach
  void nothing_is_left_behind() {
    try {
      Awaitility.await().atMost(LONG).until(() -> running().isEmpty());
    } finally {
      running().forEach(ProcessHandle::destroyForcibly);
    }
  }

  private List<ProcessHandle> running() {
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains("of " + folder))
        .toList();
  }

  /** A shell whose command line names this test's folder, as those of its children do. */
  private List<String> shell(String script) {
    return List.of(tool.shell().toString(), "-c", script, "of " + folder);
  }

  private List<String> stuck() {
    return shell("(kill -STOP $(sh -c 'echo $PPID')) & touch " + begun + "; wait");
  }

  @Test
  void one_whose_child_was_stopped_is_killed_at_the_limit() {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> tool.run(stuck(), Duration.ofSeconds(1)))
        .withMessageContaining("took longer than PT1S");
  }

  @Test
  void what_it_printed_is_not_waited_for_longer_than_that() {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> tool.ask(stuck(), Duration.ofSeconds(1), folder))
        .withMessageContaining("took longer than PT1S");
  }

  @Test
  void one_that_was_killed_leaves_no_stopped_child() throws Exception {
    assertThat(tool.run(shell("(kill -STOP $(sh -c 'echo $PPID')) & kill -KILL $$"), LONG))
        .isEqualTo(128 + 9);
  }

  @Test
  void an_interruption_ends_it() throws Exception {
    var thrown = new CompletableFuture<Throwable>();
    Thread thread = Thread.ofVirtual().start(() -> {
      try {
        tool.run(stuck(), LONG);
      } catch (IOException | InterruptedException e) {
        thrown.complete(e);
      }
    });
    Awaitility.await().atMost(LONG).until(() -> Files.exists(begun));
    thread.interrupt();
    assertThat(thrown.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
  }

  @Test
  void one_that_must_end_is_not_ended_by_interruptions_and_has_a_limit_all_the_same()
      throws Exception {
    var thrown = new CompletableFuture<Throwable>();
    var interrupted = new CompletableFuture<Boolean>();
    Thread thread = Thread.ofVirtual().start(() -> {
      try {
        tool.runUninterrupted(stuck(), Duration.ofSeconds(2));
      } catch (IOException e) {
        thrown.complete(e);
        interrupted.complete(Thread.currentThread().isInterrupted());
      }
    });
    while (!thrown.isDone()) {
      thread.interrupt();
      Thread.onSpinWait();
    }
    assertThat(thrown.get()).isInstanceOf(IOException.class).hasMessageContaining("PT2S");
    assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void what_it_prints_is_cut_and_leaves_no_file() throws Exception {
    Path kept = Files.createDirectory(folder.resolve("kept"));
    Ended ended = tool.ask(shell("echo bad >&2; yes | head -c 1000000; exit 3"), LONG, kept);
    assertThat(ended.exit()).isEqualTo(3);
    assertThat(ended.text()).startsWith("bad\ny\n").hasSizeLessThanOrEqualTo(8 * 1024);
    try (Stream<Path> files = Files.list(kept)) {
      assertThat(files).isEmpty();
    }
  }
}
