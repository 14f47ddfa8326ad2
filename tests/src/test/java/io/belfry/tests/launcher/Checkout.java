package io.belfry.tests.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.testkit.Root;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A small checkout with the real launcher and a Maven that only pretends to build: it notes that it was called and puts the
 * real jar in place.
 */
final class Checkout {
  record Ran(int exit, String out, String err) {}

  private final Path folder;
  private final Map<String, String> environment = new HashMap<>();

  private Checkout(Path folder) {
    this.folder = folder;
    environment.put("HOME", folder.toString());
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("BELFRY_ARCHIVES", "none"); // they take longer than most of these tests
    environment.put("PATH", folder.resolve("tools") + ":/usr/bin:/bin");
  }

  static Checkout in(Path folder) throws IOException {
    var checkout = new Checkout(folder);
    Files.copy(
        Root.FOLDER.resolve("belfry"),
        folder.resolve("belfry"),
        StandardCopyOption.COPY_ATTRIBUTES);
    checkout.write("pom.xml", "<version>1</version>");
    checkout.write("model/src/main/java/A.java", "class A {}");
    checkout.tool("mvn", """
        echo "$@" >> '%1$s/mvn.calls'
        echo '[INFO] Building Belfry model 0.1.0-SNAPSHOT                                   [1/2]'
        mkdir -p '%1$s/dist/target'
        cp '%2$s' '%1$s/dist/target/belfry.jar'
        """.formatted(folder, Root.FOLDER.resolve("dist/target/belfry.jar")));
    return checkout;
  }

  Checkout with(String name, String value) {
    environment.put(name, value);
    return this;
  }

  Checkout without(String name) {
    environment.remove(name);
    return this;
  }

  void write(String path, String text) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  void tool(String name, String script) throws IOException {
    write("tools/" + name, "#!/bin/sh\n" + script);
    assertThat(folder.resolve("tools").resolve(name).toFile().setExecutable(true))
        .isTrue();
  }

  int builds() throws IOException {
    Path calls = folder.resolve("mvn.calls");
    return Files.exists(calls) ? Files.readAllLines(calls).size() : 0;
  }

  Path folder() {
    return folder;
  }

  Ran run(String... arguments) {
    return finish(start(arguments));
  }

  Process start(String... arguments) {
    return start(Stream.concat(Stream.of(folder.resolve("belfry").toString()), Stream.of(arguments))
        .toList());
  }

  /** A line as somebody would type it here. */
  Process type(String line) {
    return start(List.of("sh", "-c", line));
  }

  private Process start(List<String> command) {
    try {
      var builder = new ProcessBuilder(command).directory(folder.toFile());
      builder.environment().clear();
      builder.environment().putAll(environment);
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for its end, but not for ever. */
  static Ran finish(Process process) {
    try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<String> out = readers.submit(() -> text(process.getInputStream()));
      Future<String> err = readers.submit(() -> text(process.getErrorStream()));
      boolean ended = process.waitFor(3, TimeUnit.MINUTES);
      if (!ended) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
      var ran = new Ran(process.waitFor(), out.get(), err.get());
      assertThat(ended).as("it ends within three minutes, but so far: %s", ran).isTrue();
      return ran;
    } catch (ExecutionException e) {
      throw new AssertionError("its output could not be read", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private static String text(InputStream stream) throws IOException {
    return new String(stream.readAllBytes(), UTF_8);
  }
}
