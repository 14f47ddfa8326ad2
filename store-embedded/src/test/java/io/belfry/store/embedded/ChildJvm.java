package io.belfry.store.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.rocksdb.util.Environment;

/** A real process of ours with the class path of this one, killed at the latest when it is closed. */
final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;

  private ChildJvm(Process process) {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Its temporary files go to {@code temp}, because a killed process cleans up nothing. */
  static ChildJvm start(Path temp, List<String> options, Class<?> main, String... arguments)
      throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xshare:auto",
        "-Xmx256m",
        "--enable-native-access=ALL-UNNAMED",
        "-Djava.io.tmpdir=" + temp,
        "-cp",
        System.getProperty("java.class.path")));
    command.addAll(options);
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ChildJvm(new ProcessBuilder(command)
        .redirectErrorStream(true)
        .directory(temp.toFile())
        .start());
  }

  /** Unpacks the native library once for many children; the option that makes them find it. */
  static String sharedLibrary(Path temp) throws IOException {
    Path library = temp.resolve(Environment.getJniLibraryFileName("rocksdb"));
    if (!Files.exists(library)) {
      try (InputStream packed = ChildJvm.class.getResourceAsStream("/" + library.getFileName())) {
        Files.copy(
            Objects.requireNonNull(packed, () -> library + " is not on the class path"), library);
      }
    }
    return "-Djava.library.path=" + temp;
  }

  /** Reads what it prints until a line begins so. */
  String awaitLine(String beginning) throws IOException {
    var heard = new StringBuilder();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(beginning)) {
        return line;
      }
      heard.append(line).append('\n');
    }
    throw new AssertionError("the child never said '" + beginning + "' but:\n" + heard);
  }

  /** Lets it run for a while. */
  void leaveAloneFor(long millis) throws InterruptedException {
    if (process.waitFor(millis, TimeUnit.MILLISECONDS)) {
      throw new AssertionError("the child ended by itself with " + process.exitValue());
    }
  }

  long pid() {
    return process.pid();
  }

  int awaitEnd() throws InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("the child does not end");
    }
    return process.exitValue();
  }

  /** As by {@code kill -9}. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    awaitEnd();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
