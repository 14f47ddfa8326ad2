package io.belfry.testkit.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One real Redis server on loopback. By default it has an append-only file and no snapshots, as Belfry requires.
 *
 * <p>Threading: confined to the test.
 */
public final class RedisServer implements AutoCloseable {
  private static final int ATTEMPTS = 3;

  private final ServerProcess process;
  private final int port;
  private final Optional<String> login;

  private RedisServer(ServerProcess process, int port, Optional<String> login) {
    this.process = process;
    this.port = port;
    this.login = login;
  }

  /** Options as on the command line: {@code "--appendfsync", "always"}. The last value of an option wins. */
  public static RedisServer start(String... options) {
    return start(Optional.empty(), List.of(options), List.of());
  }

  /**
   * With access rules and TLS.
   *
   * @param login user and password of this fixture, separated by a space; empty if the server needs none
   * @param users lines of an ACL file, {@code user belfry on >secret ...}
   */
  public static RedisServer start(
      Optional<String> login, List<String> options, List<String> users) {
    RuntimeException last = new IllegalStateException("never tried");
    for (int i = 0; i < ATTEMPTS; i++) {
      int port = Ports.free();
      try {
        return startOn(port, login, options, users);
      } catch (IllegalStateException portTaken) {
        last = portTaken;
      }
    }
    throw last;
  }

  static RedisServer startOn(
      int port, Optional<String> login, List<String> options, List<String> users) {
    Path directory = ServerProcess.freshDirectory("redis");
    var command = new ArrayList<String>();
    command.add(Binaries.find("redis-server", "redis-server").toString());
    boolean tls = options.contains("--tls-port");
    if (!tls) {
      command.addAll(List.of("--port", "" + port));
    }
    command.addAll(List.of(
        "--bind", "127.0.0.1",
        "--dir", directory.toString(),
        "--save", "",
        "--appendonly", "yes",
        "--appendfsync", "everysec",
        "--repl-diskless-sync-delay", "0",
        "--loglevel", "notice"));
    if (!users.isEmpty()) {
      command.addAll(List.of("--aclfile", write(directory.resolve("users.acl"), users)));
    }
    options.forEach(each -> command.add(each.equals("@port") ? "" + port : each));
    return new RedisServer(
        ServerProcess.start(
            "redis",
            command,
            directory,
            () -> tls ? ServerProcess.accepts(port).call() : answers(port, login)),
        port,
        login);
  }

  private static String write(Path file, List<String> lines) {
    try {
      return Files.write(file, lines).toString();
    } catch (IOException e) {
      throw new UncheckedIOException("Could not write " + file + ".", e);
    }
  }

  private static boolean answers(int port, Optional<String> login) {
    try {
      return RawRedisClient.ask(port, login, List.of("PING")).equals(List.of("PONG"));
    } catch (UncheckedIOException notYet) {
      return false;
    }
  }

  public int port() {
    return port;
  }

  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  /** Sends a command, not over TLS. Returns the flattened reply; an error starts with {@code -}; strings are bytes as Latin-1. */
  public List<String> ask(String... command) {
    return RawRedisClient.ask(port, login, List.of(command));
  }

  /** One field of INFO. */
  public String info(String section, String field) {
    return ask("INFO", section)
        .getFirst()
        .lines()
        .filter(line -> line.startsWith(field + ":"))
        .map(line -> line.substring(field.length() + 1))
        .findFirst()
        .orElse("");
  }

  /** The number of replicas that have acknowledged a write: being connected is not enough for WAIT. */
  public int replicasInStep() {
    ask("SET", "something-to-acknowledge", "1");
    ask("DEL", "something-to-acknowledge");
    return (int) ask("INFO", "replication")
        .getFirst()
        .lines()
        .filter(line -> line.matches("slave\\d+:.*state=online,offset=[1-9].*"))
        .count();
  }

  /** kill -9. */
  public void kill() {
    process.kill();
  }

  /** After {@link #kill()}: on the same port with the same data. */
  public void startAgain() {
    process.start();
  }

  /** SIGSTOP. */
  public void pause() {
    process.pause();
  }

  public void resume() {
    process.resume();
  }

  public Path directory() {
    return process.directory();
  }

  public String log() {
    return process.log();
  }

  @Override
  public void close() {
    process.close();
  }
}
