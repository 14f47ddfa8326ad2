package io.belfry.tests.witness;

import io.belfry.model.time.Time;
import io.belfry.testkit.engine.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * F13: far more is submitted than can be done. The server says so, keeps its memory, does what it has acknowledged, and takes more when it
 * can.
 *
 * <p>Threading: callers submit side by side; the rest is confined to the driver.
 */
final class Overload {
  private static final int CALLERS = 48;
  private static final int HEAP_MIB = 160;
  /** Heap, the store's caches, code, threads. */
  private static final long RESIDENT_MIB_MAX = 800;

  private static final String PAYLOAD = "x".repeat(2000);
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private Overload() {}

  /** What came of it, and the most memory that the process had. */
  record Result(Drill.Outcome outcome, long residentMib) {
    String text() {
      return outcome.text()
          + "resident at most %,d MiB, of which heap %,d MiB%n"
              .formatted(residentMib, (long) HEAP_MIB);
    }
  }

  /** Until so many were acknowledged and some were refused, however fast this machine is. */
  static Result run(int submits) {
    Path directory = ServerProcess.freshDirectory("overload");
    try (var drill = new Drill(
        directory,
        List.of(
            "--set", "task.queueSize=100",
            "--set", "dispatch.pendingMax=1000",
            "--set", "worker.capacity=10"),
        "-Xmx" + HEAP_MIB + "m",
        "-XX:+ExitOnOutOfMemoryError")) {
      flood(drill, submits);
      long resident = residentMib(drill.process().pid());
      drill.awaitRecovery(PATIENCE);
      if (resident > RESIDENT_MIB_MAX) {
        drill.complain("the process took " + resident + " MiB");
      }
      return new Result(drill.finish(PATIENCE), resident);
    }
  }

  private static void flood(Drill drill, int submits) {
    Time time = Time.system();
    long deadline = time.nanos() + LONGEST.toNanos();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CALLERS; i++) {
        callers.execute(() -> {
          while ((drill.acknowledgedCount() < submits || !drill.hasRefused())
              && time.nanos() - deadline < 0) {
            boolean unused = drill.submit(PAYLOAD);
          }
        });
      }
    }
  }

  /** The most that it had, as the system tells. */
  private static long residentMib(long pid) {
    try {
      return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException("the memory of process " + pid + " could not be read", e);
    }
  }
}
