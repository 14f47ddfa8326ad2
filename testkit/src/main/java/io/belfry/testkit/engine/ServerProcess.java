package io.belfry.testkit.engine;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One server program that a test controls: it can be started, killed, paused, restarted on the same data, and removed.
 *
 * <p>Threading: confined to the test; the shutdown hook only kills.
 */
public final class ServerProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String name;
  private final List<String> command;
  private final Path directory;
  private final Callable<Boolean> ready;
  private final AtomicReference<@Nullable Process> running = new AtomicReference<>();
  private final Thread atExit = new Thread(this::killIfRunning);

  private ServerProcess(
      String name, List<String> command, Path directory, Callable<Boolean> ready) {
    this.name = name;
    this.command = List.copyOf(command);
    this.directory = directory;
    this.ready = ready;
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** A directory of its own, deleted with the process by {@link #close()}. */
  public static Path freshDirectory(String name) {
    try {
      return Files.createTempDirectory("belfry-" + name + "-");
    } catch (IOException e) {
      throw new UncheckedIOException("No temporary directory for " + name + ".", e);
    }
  }

  /** Returns once {@code ready} returns true; the output goes to {@code log} in the directory. */
  public static ServerProcess start(
      String name, List<String> command, Path directory, Callable<Boolean> ready) {
    var process = new ServerProcess(name, command, directory, ready);
    process.start();
    return process;
  }

  /** A probe for servers that are ready as soon as they accept connections. */
  public static Callable<Boolean> accepts(int port) {
    return () -> {
      try (var socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
        return true;
      } catch (IOException notYet) {
        return false;
      }
    };
  }

  /** Does not wait for readiness: for members of a cluster that become ready only together. */
  public static ServerProcess launch(
      String name, List<String> command, Path directory, Callable<Boolean> ready) {
    var process = new ServerProcess(name, command, directory, ready);
    process.launch();
    return process;
  }

  /** After {@link #kill()}: the same command on the same data. */
  public void start() {
    launch();
    awaitReady();
  }

  /** The same without waiting for readiness, for tests that kill the process while it starts. */
  public void startWithoutWaiting() {
    launch();
  }

  public void awaitReady() {
    try {
      await(name + " is ready")
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(20))
          .failFast(name + " ended: see its log", () -> !isRunning())
          .until(ready);
    } catch (RuntimeException e) {
      killIfRunning();
      throw new IllegalStateException(name + " did not become ready. Its log:\n" + log(), e);
    }
  }

  private void launch() {
    killIfRunning();
    try {
      running.set(new ProcessBuilder(command)
          .directory(directory.toFile())
          .redirectErrorStream(true)
          .redirectOutput(
              ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
          .start());
    } catch (IOException e) {
      throw new UncheckedIOException("Could not start " + name + " with " + command + ".", e);
    }
  }

  public boolean isRunning() {
    Process process = running.get();
    return process != null && process.isAlive();
  }

  /** Of the process that runs, for measuring it. */
  public long pid() {
    return Objects.requireNonNull(running.get(), "not running").pid();
  }

  /** kill -9: the process gets no chance to say or save anything. Returns once it is gone. */
  public void kill() {
    signal("KILL");
    waitUntilGone();
  }

  /** SIGTERM, as an operator would. Returns once it is gone. */
  public void stop() {
    signal("TERM");
    waitUntilGone();
  }

  /** SIGSTOP: alive, and silent. */
  public void pause() {
    signal("STOP");
  }

  public void resume() {
    signal("CONT");
  }

  public Path directory() {
    return directory;
  }

  public String log() {
    try {
      return Files.readString(directory.resolve("log"));
    } catch (IOException e) {
      return "(no log: " + e.getMessage() + ")";
    }
  }

  @Override
  public void close() {
    killIfRunning();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException ending) {
      // The JVM is about to end: the hook finds nothing left to kill.
    }
    deleteDirectory();
  }

  private void signal(String which) {
    Process process = running.get();
    if (process == null) {
      throw new IllegalStateException(name + " is not running.");
    }
    try {
      Process kill = new ProcessBuilder("kill", "-" + which, Long.toString(process.pid())).start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException(
            "kill -" + which + " of " + name + " did not succeed. Its log:\n" + log());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Could not signal " + name + ".", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void killIfRunning() {
    Process process = running.getAndSet(null);
    if (process != null) {
      process.destroyForcibly();
      waitFor(process);
    }
  }

  private void waitUntilGone() {
    Process process = running.getAndSet(null);
    if (process != null) {
      waitFor(process);
    }
  }

  private void waitFor(Process process) {
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException(name + " did not end within " + PATIENCE + ".");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void deleteDirectory() {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Could not delete the directory of " + name + ".", e);
    }
  }
}
