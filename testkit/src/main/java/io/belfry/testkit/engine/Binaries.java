package io.belfry.testkit.engine;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Finds an engine's program: on the PATH, or unpacked by {@code dpkg -x} from Debian's package into a cache of the user's
 * own, which needs no root.
 */
public final class Binaries {
  private static final List<String> SYSTEM_DIRS =
      List.of("/usr/bin", "/usr/sbin", "/usr/local/bin");

  private Binaries() {}

  public static Path find(String program, String debianPackage) {
    return installed(program)
        .or(() -> unpacked(program, debianPackage))
        .orElseThrow(() -> new IllegalStateException(
            "The tests need the program '" + program + "', which is neither on the"
                + " PATH nor could be unpacked from Debian's package. Install it: apt-get install "
                + debianPackage));
  }

  private static Optional<Path> installed(String program) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.concat(Arrays.stream(path.split(File.pathSeparator)), SYSTEM_DIRS.stream())
        .filter(dir -> !dir.isEmpty())
        .map(dir -> Path.of(dir, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Optional<Path> unpacked(String program, String debianPackage) {
    try {
      Path cache = Files.createDirectories(
          Path.of(System.getProperty("user.home"), ".cache", "belfry-engines"));
      Path root = cache.resolve(debianPackage);
      try (FileChannel channel = FileChannel.open(
              cache.resolve(debianPackage + ".lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE);
          FileLock oneUnpacksTheOthersWait = channel.lock()) {
        if (oneUnpacksTheOthersWait.isValid()
            && !Files.isExecutable(root.resolve("usr/bin").resolve(program))) {
          unpack(cache, root, debianPackage);
        }
      }
      return Optional.of(root.resolve("usr/bin").resolve(program)).filter(Files::isExecutable);
    } catch (IOException e) {
      throw new UncheckedIOException("Could not unpack " + debianPackage + ".", e);
    }
  }

  private static void unpack(Path cache, Path root, String debianPackage) throws IOException {
    Path downloads = Files.createTempDirectory(cache, "download");
    run(downloads, "apt-get", "-q", "download", debianPackage);
    try (Stream<Path> packages = Files.list(downloads)) {
      for (Path each : packages.toList()) {
        run(cache, "dpkg", "-x", each.toString(), root.toString());
        Files.delete(each);
      }
    }
    Files.delete(downloads);
  }

  private static void run(Path directory, String... command) throws IOException {
    Process process = new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
    try {
      if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException("'" + String.join(" ", command) + "' did not succeed.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while unpacking.", e);
    }
  }
}
