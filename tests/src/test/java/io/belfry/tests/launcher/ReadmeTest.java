package io.belfry.tests.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.testkit.engine.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * README.md and docs/get-started.md, followed word by word: each command is run as shown, and its output must match. Only the port and
 * the directory of temporary files differ, because the usual port may be taken.
 */
@SuppressWarnings("NullAway.Init") // JUnit sets the fields
class ReadmeTest {
  private static final String PAGE = "README.md";
  private static final String START = "docs/get-started.md";
  private static final String PORT = "8080";

  @TempDir
  Path folder;

  private Checkout checkout;

  @BeforeEach
  void prepare() throws IOException {
    checkout = Checkout.in(folder);
  }

  /** Starts what runs until it is stopped, and returns once it has said all that is shown. */
  private Process serve(ShownConsole shown) throws Exception {
    Process process = checkout.type("exec " + shown.command());
    try (var reading = Executors.newVirtualThreadPerTaskExecutor()) {
      String said = CompletableFuture.supplyAsync(
              () -> read(process, shown.answer().size()), reading)
          .get(2, TimeUnit.MINUTES);
      assertThat(said).matches(shown.expected());
    } catch (Exception | AssertionError e) {
      process.destroyForcibly();
      throw e;
    }
    return process;
  }

  private static String read(Process process, int lines) {
    var said = new StringBuilder();
    BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
    try {
      for (int i = 0; i < lines; i++) {
        said.append(reader.readLine()).append('\n');
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return said.toString();
  }

  private static void stop(Process process) throws InterruptedException {
    process.destroy();
    assertThat(process.waitFor(30, TimeUnit.SECONDS))
        .as("it ends when it is told to")
        .isTrue();
  }

  @Test
  void the_two_commands_are_shown_first() {
    assertThat(ShownCommands.of(PAGE, "## Two commands"))
        .containsExactly("./belfry demo", "./belfry test");
  }

  @Test
  void the_demo_says_what_is_shown_and_its_commands_work_as_printed() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    checkout.with("BELFRY_JAVA_OPTS", "-Djava.io.tmpdir=" + temporary);
    String port = "" + Ports.free();
    List<ShownConsole> page = ShownConsole.of(START, "## Run the demo");
    assertThat(page).hasSize(1);
    ShownConsole shown = page.getFirst().with(PORT, port).with("/tmp/", temporary + "/");
    Process demo = serve(new ShownConsole(shown.command() + " --port " + port, shown.answer()));
    try {
      List<String> printed = shown.answer().stream()
          .map(String::strip)
          .filter(line -> line.startsWith("./belfry ") && !line.contains("--follow"))
          .toList();
      assertThat(printed).hasSizeGreaterThanOrEqualTo(4);
      for (String command : printed) {
        Checkout.Ran ran = Checkout.finish(checkout.type(command));
        assertThat(ran.exit()).as("%s said %s", command, ran).isZero();
      }
    } finally {
      stop(demo);
    }
    assertThat(temporary.resolve("belfry-demo")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({PAGE + ", 5", START + ", 9"})
  void the_first_job_goes_as_shown(String file, int commands) throws Exception {
    String port = "" + Ports.free();
    checkout.with("BELFRY_SERVER_LISTEN", "127.0.0.1:" + port);
    List<ShownConsole> page = ShownConsole.of(file, "## Your first job").stream()
        .map(shown -> shown.with(PORT, port))
        .toList();
    assertThat(page).hasSize(commands);
    Process server = serve(page.getFirst());
    try {
      String before = "";
      for (ShownConsole shown : page.subList(1, page.size())) {
        if (shown.command().startsWith("alias ")) {
          before = shown.command() + "\n"; // each line has a shell of its own here
          continue;
        }
        Checkout.Ran ran = Checkout.finish(checkout.type(before + shown.command()));
        assertThat(ran.out() + (ran.out().endsWith("\n") || ran.out().isEmpty() ? "" : "\n"))
            .as("%s, with the complaints %s", shown.command(), ran.err())
            .matches(shown.expected());
        assertThat(ran.exit()).isZero();
      }
    } finally {
      stop(server);
    }
  }
}
