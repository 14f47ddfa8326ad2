package io.belfry.tests.witness;

import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import io.belfry.testkit.engine.ServerProcess;
import io.belfry.tests.cluster.Rest;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.core.ConditionTimeoutException;

/**
 * F9: the disk of an embedded store is really full, again and again. Needs the right to mount a small file system.
 *
 * <pre>
 *   submits taken ──▶ not a byte left, or less than is kept free ──▶ refused, reads go on ──▶ room ──▶ taken again
 *                        in the end: kill -9, start, and everything that was acknowledged has ended
 * </pre>
 *
 * <p>Threading: confined to the driver.
 */
final class FullDisk {
  private static final int SIZE_MIB = 192;
  private static final long LITTLE = 20L << 20;
  private static final int MANY = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  /** Half of what a caller waits at most, on a machine that has other things to do. Otherwise it takes milliseconds. */
  private static final Duration AT_ONCE = Duration.ofSeconds(5);

  private final Path directory;
  private final Path ballast;

  private FullDisk(Path directory) {
    this.directory = directory;
    this.ballast = directory.resolve("data").resolve("ballast");
  }

  /** Whether this user may mount a file system. */
  static boolean isPossible() {
    Path directory = ServerProcess.freshDirectory("mount");
    try {
      return run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", directory.toString())
          && run("umount", directory.toString());
    } finally {
      delete(directory);
    }
  }

  static Drill.Outcome run(int submits) {
    Path directory = ServerProcess.freshDirectory("full-disk");
    Path data = directory.resolve("data");
    try {
      Files.createDirectory(data);
    } catch (IOException e) {
      throw new UncheckedIOException("no directory " + data, e);
    }
    if (!run("mount", "-t", "tmpfs", "-o", "size=" + SIZE_MIB + "m", "tmpfs", data.toString())) {
      throw new IllegalStateException("F9 needs the right to mount a small file system.");
    }
    var drill = new Drill(directory, List.of());
    try {
      return new FullDisk(directory).rounds(drill, submits);
    } finally {
      if (drill.process().isRunning()) {
        drill.process().kill();
      }
      run("umount", data.toString());
      drill.close();
    }
  }

  private Drill.Outcome rounds(Drill drill, int submits) {
    boolean wall = true;
    do {
      many(drill);
      Instant full = Time.system().wall();
      leave(wall ? 0 : LITTLE);
      refused(drill);
      notReady(drill);
      if (!drill.get(Rest.NS + "/tasks?limit=1").isFine()) {
        drill.complain("reads do not go on while the disk is full");
      }
      delete(ballast);
      drill.awaitRecovery(PATIENCE);
      drill.hadNoRoom(full);
      wall = !wall;
    } while (drill.acknowledgedCount() < submits);
    drill.killAndStartAgain();
    drill.awaitRecovery(PATIENCE);
    return drill.finish(PATIENCE);
  }

  private static void many(Drill drill) {
    for (int i = 0; i < MANY; i++) {
      if (!drill.submit("there is room")) {
        drill.complain("refused although there is room");
      }
    }
  }

  /** Nobody waits in vain to be refused. What the store had begun to take may still be taken. */
  private static void refused(Drill drill) {
    var taken = new AtomicInteger();
    var slowest = new AtomicLong();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < MANY; i++) {
        callers.execute(() -> {
          long asked = Time.system().nanos();
          if (drill.submit("there is no room")) {
            taken.incrementAndGet();
          } else {
            slowest.accumulateAndGet(Time.system().nanos() - asked, Math::max);
          }
        });
      }
    }
    Duration waited = Duration.ofNanos(slowest.get());
    System.out.println("full disk: refused within " + waited.toMillis() + " ms");
    if (waited.compareTo(AT_ONCE) > 0) {
      drill.complain(
          "refused only after " + waited + ", although the store says at once that it is full");
    }
    if (taken.get() == MANY) {
      drill.complain("all were acknowledged although there was no room");
    }
  }

  private static void notReady(Drill drill) {
    try {
      await().atMost(AT_ONCE).until(() -> drill.get("/readyz").status() == 503);
    } catch (ConditionTimeoutException e) {
      drill.complain("it says that it is ready although there is no room");
    }
  }

  /** Fills the disk up to so many bytes; with 0, until not a byte goes in. */
  private void leave(long bytes) {
    byte[] block = new byte[1 << 20];
    try (OutputStream out = Files.newOutputStream(
        ballast,
        java.nio.file.StandardOpenOption.CREATE,
        java.nio.file.StandardOpenOption.APPEND)) {
      while (Files.getFileStore(directory.resolve("data")).getUsableSpace() > bytes) {
        out.write(block);
      }
    } catch (IOException full) {
      if (bytes > 0) {
        throw new UncheckedIOException("the disk could not be filled", full);
      }
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("could not delete " + file, e);
    }
  }

  private static boolean run(String... command) {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
