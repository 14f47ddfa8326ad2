package io.belfry.bench.server;

import io.belfry.model.time.Time;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A server on a directory of its own, started with the launcher as a user does. Threading: confined. */
final class ServerProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Time time = Time.system();
  private final Path data;
  private final Process process;
  private final URI url;
  private final Duration toReady;

  /**
   * Starts the server and waits until it is ready.
   *
   * @param home the checkout
   * @param options for the JVM, in addition to those of the launcher
   * @param settings {@code key=value}
   */
  ServerProcess(Path home, Path data, String options, String... settings) throws IOException {
    this.data = data;
    List<String> words = new ArrayList<>(List.of(
        home.resolve("belfry").toString(), "server", "--port", "0", "--data", data.toString()));
    for (String setting : settings) {
      words.add("--set");
      words.add(setting);
    }
    long start = time.nanos();
    Path log = Files.createTempFile("belfry-bench-server", ".log");
    var builder = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile());
    if (!options.isEmpty()) {
      builder.environment().put("BELFRY_JAVA_OPTS", options);
    }
    process = builder.start();
    url = awaitReady(start, log);
    toReady = Duration.ofNanos(time.nanos() - start);
    Files.delete(log);
  }

  private URI awaitReady(long start, Path log) throws IOException {
    Path file = data.resolve("server.url");
    while (time.nanos() - start < PATIENCE.toNanos() && process.isAlive()) {
      if (Files.exists(file)) {
        URI found = URI.create(Files.readString(file).strip());
        try (var wire = new HttpConnection(found)) {
          if (wire.ask(HttpConnection.request("GET", "/readyz", "", "")).status() == 200) {
            return found;
          }
        }
      }
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
    process.destroyForcibly();
    throw new IllegalStateException("The server did not become ready: " + Files.readString(log));
  }

  Duration toReady() {
    return toReady;
  }

  URI url() {
    return url;
  }

  String token() throws IOException {
    return Files.readString(data.resolve("admin.token")).strip();
  }

  Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** The resident memory of the process, in MiB. */
  double residentMegabytes() throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToDouble(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException("The server did not stop within 30 s.");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
