package io.belfry.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commands as somebody types them, each in a process of its own. Threading: stateless. */
final class Typed {
  private Typed() {}

  /** What came of it. */
  record Ran(int exit, String text) {}

  /** What it printed; it must succeed. */
  static String run(String... words) {
    Ran ran = ran(words);
    assertThat(ran.exit()).as(String.join(" ", words) + " said " + ran.text()).isZero();
    return ran.text();
  }

  static Ran ran(String... words) {
    var command = new ArrayList<>(ServerNode.program());
    command.addAll(List.of(words));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(String.join(" ", words) + " did not end.");
      }
      return new Ran(process.exitValue(), text);
    } catch (IOException e) {
      throw new UncheckedIOException("could not run " + command, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
