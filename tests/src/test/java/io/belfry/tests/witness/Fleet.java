package io.belfry.tests.witness;

import io.belfry.model.time.Time;
import io.belfry.testkit.engine.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The processes of one run, as its shape says, and what befell them when.
 *
 * <p>Threading: confined to the driver; only how many were started, and where their doors are, may be asked by others.
 */
final class Fleet implements AutoCloseable {
  private final Map<String, ServerProcess> processes = new LinkedHashMap<>();

  private final Time time = Time.system();
  private final AtomicInteger restarts = new AtomicInteger();
  private final List<Outage> outages = new CopyOnWriteArrayList<>();
  /** Of those that are not back yet. */
  private final Map<String, Outage> away = new ConcurrentHashMap<>();

  private final Set<String> struck = ConcurrentHashMap.newKeySet();

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
  static Maker bare(Network network, int ledger, Flaw flaw) {
    return (role, name) -> bare(role, name, network.engineOf(name), ledger, flaw);
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

  /** What each process wrote about itself, for whoever looks for the cause of a finding. */
  void keepLogs(Path into) {
    processes.forEach((name, process) -> {
      try {
        Path kept = Files.createDirectories(into.resolve(name));
        for (String file : List.of("log", Stalls.FILE, LoopStalls.FILE)) {
          if (Files.exists(process.directory().resolve(file))) {
            Files.copy(process.directory().resolve(file), kept.resolve(file));
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException("the log of " + name + " could not be kept in " + into, e);
      }
    });
  }

  boolean isRunning(String name) {
    return get(name).isRunning();
  }

  void kill(String name) {
    Instant from = time.wall();
    get(name).kill();
    away(name, Outage.Kind.KILLED, from);
  }

  /** SIGTERM; returns once it is gone. */
  void stop(String name) {
    Instant from = time.wall();
    get(name).stop();
    away(name, Outage.Kind.STOPPED, from);
  }

  void pause(String name) {
    Instant from = time.wall();
    get(name).pause();
    away(name, Outage.Kind.PAUSED, from);
  }

  void resume(String name) {
    get(name).resume();
    back(name);
  }

  /** The engine is away from now on, until it is back. */
  void engineAway() {
    away(Outage.ENGINE, Outage.Kind.PAUSED, time.wall());
  }

  void engineBack() {
    back(Outage.ENGINE);
  }

  /** The process cannot reach its engine from now on, in one direction or both. */
  void cutOff(String name) {
    away(name, Outage.Kind.CUT, time.wall());
  }

  /** The process reaches its engine again. */
  void mended(String name) {
    back(name);
  }

  /** No process can reach the engine from now on, until {@link #engineBack()}. */
  void engineCutOff() {
    away(Outage.ENGINE, Outage.Kind.CUT, time.wall());
  }

  /** The engine answers later, but not so late that anybody may lose a lease. */
  void engineSlow() {
    struck.add(Outage.ENGINE);
  }

  /** Who was struck since this was asked the last time. */
  Set<String> takeStruck() {
    Set<String> all = Set.copyOf(struck);
    struck.clear();
    return all;
  }

  private void away(String who, Outage.Kind kind, Instant from) {
    struck.add(who);
    away.put(who, new Outage(who, kind, from, time.wall(), Instant.MAX));
  }

  private void back(String who) {
    Outage ended = away.remove(who);
    if (ended != null) {
      outages.add(new Outage(who, ended.kind(), ended.from(), ended.gone(), time.wall()));
    }
  }

  /** What befell them, by those who did it and by their own word, until now. */
  List<Outage> outages() {
    List<Outage> all = new ArrayList<>(outages);
    Instant now = time.wall();
    away.values()
        .forEach(
            each -> all.add(new Outage(each.who(), each.kind(), each.from(), each.gone(), now)));
    processes.keySet().forEach(name -> stalls(name, all));
    return all;
  }

  private void stalls(String name, List<Outage> to) {
    for (String line : lines(name, Stalls.FILE)) {
      String[] words = line.split("\t", -1);
      Instant from = Instant.parse(words[0]);
      to.add(new Outage(name, Outage.Kind.STALLED, from, from, Instant.parse(words[1])));
    }
  }

  /** What processes of the core wrote as leaders; servers do not note it. */
  List<Act> acts() {
    List<Act> all = new ArrayList<>();
    for (ServerProcess process : processes.values()) {
      try (Stream<Path> files = Files.list(process.directory())) {
        for (Path file : files.toList()) {
          String name = file.getFileName().toString();
          if (name.startsWith(NotingStore.ACT)) {
            String[] words = name.split("-", 3);
            String last = Files.readString(file);
            if (!last.isEmpty()) { // killed while it was writing
              all.add(new Act(words[2], Long.parseLong(words[1]), Long.parseLong(last)));
            }
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException("could not read " + process.directory(), e);
      }
    }
    return all;
  }

  /** Where clients submit, if it runs and says so. */
  OptionalInt door(String name) {
    try {
      List<String> lines = lines(name, Door.FILE);
      return isRunning(name) && lines.size() == 1
          ? OptionalInt.of(Integer.parseInt(lines.getFirst()))
          : OptionalInt.empty();
    } catch (UncheckedIOException gone) {
      return OptionalInt.empty();
    }
  }

  void start(String name) {
    ServerProcess process = get(name);
    if (!process.isRunning()) {
      forget(process);
      process.start();
      back(name);
    }
  }

  /** Starts it, and returns before it is ready: for who kills it while it starts. */
  void startWithoutWaiting(String name) {
    ServerProcess process = get(name);
    forget(process);
    process.startWithoutWaiting();
    back(name);
  }

  /** What the process before it said of itself. */
  private void forget(ServerProcess process) {
    write(process.directory().resolve("clock"), "0");
    for (String file : List.of("ready", Door.FILE, ServerMaker.ADDRESS, "leads", "unfinished")) {
      delete(process.directory().resolve(file));
    }
    restarts.incrementAndGet();
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
    struck.add(name);
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
    return lines(name, "terms");
  }

  private List<String> lines(String name, String what) {
    Path file = get(name).directory().resolve(what);
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
