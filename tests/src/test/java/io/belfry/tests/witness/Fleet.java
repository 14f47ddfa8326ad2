package io.belfry.tests.witness;

import io.belfry.testkit.engine.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The processes of one run: schedulers s1, s2 … and workers w1, w2 …
 *
 * <p>Threading: confined to the driver.
 */
final class Fleet implements AutoCloseable {
  private final Map<String, ServerProcess> processes = new LinkedHashMap<>();

  Fleet(Engine engine, int ledger, int schedulers, int workers) {
    for (int i = 1; i <= schedulers; i++) {
      add("scheduler", "s" + i, engine, ledger);
    }
    for (int i = 1; i <= workers; i++) {
      add("worker", "w" + i, engine, ledger);
    }
    processes.values().forEach(ServerProcess::awaitReady);
  }

  private void add(String role, String name, Engine engine, int ledger) {
    Path directory = ServerProcess.freshDirectory("witness-" + name);
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx256m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xshare:auto",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("witness.classpath", System.getProperty("java.class.path")),
        WitnessNode.class.getName(),
        role,
        name,
        engine.state(),
        engine.election(),
        "" + ledger));
    processes.put(
        name,
        ServerProcess.launch(
            name, command, directory, () -> Files.exists(directory.resolve("ready"))));
  }

  List<String> schedulers() {
    return processes.keySet().stream().filter(name -> name.startsWith("s")).toList();
  }

  List<String> workers() {
    return processes.keySet().stream().filter(name -> name.startsWith("w")).toList();
  }

  List<String> all() {
    return List.copyOf(processes.keySet());
  }

  private ServerProcess get(String name) {
    ServerProcess process = processes.get(name);
    if (process == null) {
      throw new IllegalArgumentException("there is no process " + name);
    }
    return process;
  }

  boolean isRunning(String name) {
    return get(name).isRunning();
  }

  void kill(String name) {
    get(name).kill();
  }

  /** SIGTERM; returns once it is gone. */
  void stop(String name) {
    get(name).stop();
  }

  void pause(String name) {
    get(name).pause();
  }

  void resume(String name) {
    get(name).resume();
  }

  void start(String name) {
    ServerProcess process = get(name);
    if (!process.isRunning()) {
      write(process.directory().resolve("clock"), "0");
      delete(process.directory().resolve("ready"));
      process.start();
    }
  }

  void setClock(String name, long offMillis) {
    write(get(name).directory().resolve("clock"), "" + offMillis);
  }

  String log(String name) {
    return get(name).log();
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException("could not write " + file, e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("could not delete " + file, e);
    }
  }

  @Override
  public void close() {
    processes.values().forEach(ServerProcess::close);
  }
}
