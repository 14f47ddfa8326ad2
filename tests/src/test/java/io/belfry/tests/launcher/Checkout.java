package io.belfry.tests.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.tests.Root;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    try {
      List<String> command = Stream.concat(
              Stream.of(folder.resolve("belfry").toString()), Stream.of(arguments))
          .toList();
      var builder = new ProcessBuilder(command).directory(folder.toFile());
      builder.environment().clear();
      builder.environment().putAll(environment);
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Ran finish(Process process) {
    try {
      String out = new String(process.getInputStream().readAllBytes(), UTF_8);
      String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return new Ran(process.exitValue(), out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
