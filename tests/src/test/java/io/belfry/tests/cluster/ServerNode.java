package io.belfry.tests.cluster;

import io.belfry.testkit.engine.ServerProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One {@code belfry server}, {@code scheduler} or {@code worker} as a process.
 *
 * <p>Threading: confined to the test.
 */
public final class ServerNode implements AutoCloseable {
  private final String name;
  private final ServerProcess process;

  private ServerNode(String name, ServerProcess process) {
    this.name = name;
    this.process = process;
  }

  /** How a process of the program is started, up to its verb. */
  public static List<String> program(String... jvm) {
    var words = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xshare:auto",
        "--enable-native-access=ALL-UNNAMED"));
    words.addAll(jvm.length == 0 ? List.of("-Xmx256m") : List.of(jvm));
    words.addAll(List.of("-cp", classPath(), "io.belfry.dist.Main"));
    return words;
  }

  /** Without the folders of the tests: what they bring must not be found by a server. */
  private static String classPath() {
    String whole = System.getProperty("witness.classpath", System.getProperty("java.class.path"));
    return Arrays.stream(whole.split(File.pathSeparator, -1))
        .filter(each -> !each.endsWith("/test-classes"))
        .filter(each ->
            !each.endsWith("/examples/target/classes") && !each.contains("/belfry-examples-"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * Begins to start it; {@link #awaitReady} waits.
   *
   * @param flags as typed behind the verb; {@code --data} is added
   */
  public static ServerNode launch(
      String verb, String name, Map<String, String> environment, List<String> flags) {
    return launch(verb, name, environment, flags, program());
  }

  public static ServerNode launch(
      String verb,
      String name,
      Map<String, String> environment,
      List<String> flags,
      List<String> program) {
    return launch(
        verb, name, environment, flags, program, ServerProcess.freshDirectory("node-" + name));
  }

  /** In a directory that is there already, and is deleted with it. */
  public static ServerNode launch(
      String verb,
      String name,
      Map<String, String> environment,
      List<String> flags,
      List<String> program,
      Path directory) {
    var command = new ArrayList<>(List.of("env"));
    environment.forEach((key, value) -> command.add(key + "=" + value));
    command.addAll(program);
    command.add(verb);
    command.addAll(flags);
    command.addAll(List.of("--data", directory.resolve("data").toString()));
    Path address = directory.resolve("data").resolve("server.url");
    return new ServerNode(
        name, ServerProcess.launch(name, command, directory, () -> Files.exists(address)));
  }

  public ServerNode awaitReady() {
    process.awaitReady();
    return this;
  }

  public String name() {
    return name;
  }

  public ServerProcess process() {
    return process;
  }

  public Path data() {
    return process.directory().resolve("data");
  }

  /** Where its API is. */
  public String url() {
    try {
      return Files.readString(data().resolve("server.url")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " has not said where it listens.", e);
    }
  }

  /** On the same data, after it was killed or stopped. */
  public void startAgain() {
    forgetAddress();
    process.start();
  }

  /** A killed process leaves it behind, and it must not be taken for the next one's. */
  private void forgetAddress() {
    try {
      Files.deleteIfExists(data().resolve("server.url"));
    } catch (IOException e) {
      throw new UncheckedIOException("could not delete the address of " + name, e);
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
