package io.belfry.testkit.engine;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the program of an engine. {@code ./belfry test} provides it: installed, or unpacked from Debian packages without
 * root.
 */
public final class Binaries {
  private static final List<String> SYSTEM_DIRS =
      List.of("/usr/bin", "/usr/sbin", "/usr/local/bin");

  private Binaries() {}

  public static Path find(String program, String debianPackage) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.concat(Arrays.stream(path.split(File.pathSeparator, -1)), SYSTEM_DIRS.stream())
        .filter(dir -> !dir.isEmpty())
        .map(dir -> Path.of(dir, program))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(
            "The tests need the program '" + program + "', which is not on the"
                + " PATH. Run them by ./belfry test, which fetches it, or install it: apt-get install "
                + debianPackage));
  }
}
