package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.Job;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.time.Time;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A killed process with an embedded store fires again right after its restart, without waiting for its leases. */
@Timeout(60)
class CrashRestartTest {
  /** Shorter than the leases of leader and worker, for which the restart must not wait. */
  private static final Duration LIMIT = Duration.ofSeconds(2);

  @TempDir
  Path directory;

  /** The child process: a job every 100 ms, which prints a line at each fire. */
  static final class Node {
    private Node() {}

    public static void main(String[] directories) throws InterruptedException {
      try (Belfry belfry =
          Belfry.open(Settings.defaults().store("embedded:" + directories[0]).node("n"))) {
        belfry.handle("tick", attempt -> System.out.println("fired"));
        belfry
            .jobs()
            .save(Job.named("tick")
                .every(Duration.ofMillis(100))
                .overlap(OverlapPolicy.ALLOW)
                .local("tick")
                .build());
        System.out.println("open");
        Thread.currentThread().join();
      }
    }
  }

  /** Measures the start time on this machine with an unused directory. */
  @Test
  void the_first_fire_comes_as_soon_as_in_a_process_that_was_never_killed() throws Exception {
    Process first = start();
    Duration fresh = firstFire(first);
    awaitFires(first, 5);
    first.destroyForcibly().waitFor();

    Process again = start();
    Duration restarted = firstFire(again);
    again.destroyForcibly().waitFor();
    System.out.println("CrashRestartTest: first fire " + restarted.toMillis()
        + " ms after the start of the process that follows a killed one, " + fresh.toMillis()
        + " ms on a new directory");
    assertThat(restarted).isLessThan(fresh.plus(LIMIT));
  }

  /** The time since the start of the process. */
  private static Duration firstFire(Process node) throws IOException {
    long before = Time.system().nanos();
    awaitLine(node, "open");
    awaitFires(node, 1);
    return Duration.ofNanos(Time.system().nanos() - before);
  }

  private Process start() throws IOException {
    return new ProcessBuilder(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + directory,
            "-cp",
            System.getProperty("java.class.path"),
            Node.class.getName(),
            directory.resolve("store").toString()))
        .redirectErrorStream(true)
        .start();
  }

  private static void awaitFires(Process node, int fires) throws IOException {
    for (int i = 0; i < fires; i++) {
      awaitLine(node, "fired");
    }
  }

  private static void awaitLine(Process node, String wanted) throws IOException {
    BufferedReader out = node.inputReader(StandardCharsets.UTF_8);
    var heard = new StringBuilder();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.equals(wanted)) {
        return;
      }
      heard.append(line).append('\n');
    }
    throw new AssertionError("the node never said '" + wanted + "' but:\n" + heard);
  }
}
