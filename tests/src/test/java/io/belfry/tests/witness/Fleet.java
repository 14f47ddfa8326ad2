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
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The processes of one run, as its shape says.
 *
 * <p>Threading: confined to the driver; only how many were started may be asked by others.
 */
final class Fleet implements AutoCloseable {
  private final Map<String, ServerProcess> processes = new LinkedHashMap<>();

  private final AtomicInteger restarts = new AtomicInteger();

  /** How a process comes into being; it need not be ready yet. */
  @FunctionalInterface
  interface Maker {
    ServerProcess make(String role, String name);
  }

  Fleet(Shape shape, Maker maker) {
    boolean ready = false;
    try {
      for (int i = 1; i <= shape.schedulers(); i++) {
        processes.put("s" + i, maker.make("scheduler", "s" + i));
      }
      for (int i = 1; i <= shape.workers(); i++) {
        processes.put("w" + i, maker.make("worker", "w" + i));
      }
      for (int i = 1; i <= shape.nodes(); i++) {
        processes.put("n" + i, maker.make("node", "n" + i));
      }
      processes.values().forEach(ServerProcess::awaitReady);
      ready = true;
    } finally {
      if (!ready) {
        close();
      }
    }
  }

  /** Processes that are nothing but the core and the ledger's pen. */
  static Maker bare(Engine engine, int ledger, Flaw flaw) {
    return (role, name) -> bare(role, name, engine, ledger, flaw);
  }

  private static ServerProcess bare(
      String role, String name, Engine engine, int ledger, Flaw flaw) {
    Path directory = ServerProcess.freshDirectory("witness-" + name);
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx256m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xshare:auto",
        "--enable-native-access=ALL-UNNAMED",
        "-D" + Flaw.PROPERTY + "=" + flaw,
        "-cp",
        System.getProperty("witness.classpath", System.getProperty("java.class.path")),
        WitnessNode.class.getName(),
        role,
        name,
        engine.state(),
        engine.election(),
        "" + ledger));
    return ServerProcess.launch(
        name, command, directory, () -> Files.exists(directory.resolve("ready")));
  }

  /** Those that schedule, alone or besides working. */
  List<String> schedulers() {
    return processes.keySet().stream().filter(name -> !name.startsWith("w")).toList();
  }

  /** Those that work, alone or besides scheduling. */
  List<String> workers() {
    return processes.keySet().stream().filter(name -> !name.startsWith("s")).toList();
  }

  /** Whether nobody can take over from anybody. */
  boolean isLone() {
    return processes.size() == 1;
  }

  int restarts() {
    return restarts.get();
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
      delete(process.directory().resolve(ServerMaker.ADDRESS));
      delete(process.directory().resolve("leads"));
      delete(process.directory().resolve("unfinished"));
      restarts.incrementAndGet();
      process.start();
    }
  }

  /** Those of them that do not run, all at once. */
  void start(List<String> names) {
    List<Future<?>> starting = new ArrayList<>();
    try (var starters = Executors.newVirtualThreadPerTaskExecutor()) {
      names.forEach(name -> starting.add(starters.submit(() -> start(name))));
    }
    for (Future<?> each : starting) {
      if (each.state() != Future.State.SUCCESS) {
        throw new IllegalStateException("not all processes could be started", each.exceptionNow());
      }
    }
  }

  void setClock(String name, long offMillis) {
    write(get(name).directory().resolve("clock"), "" + offMillis);
  }

  /** Where it keeps what is its own. */
  Path directory(String name) {
    return get(name).directory();
  }

  /** Whether it has won an election since it was started. */
  boolean leads(String name) {
    return Files.exists(get(name).directory().resolve("leads"));
  }

  /** Whether it leads and knows of no task, as it said a moment ago. */
  boolean saysSettled(String name) {
    Path file = get(name).directory().resolve("unfinished");
    try {
      return Files.exists(file) && Files.readString(file).equals("0");
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + file, e);
    }
  }

  /** The terms that it has won, one in a line, in all its lives. */
  List<String> terms(String name) {
    Path file = get(name).directory().resolve("terms");
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + file, e);
    }
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
