package io.belfry.server.demo;

import io.belfry.model.Check;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data directory of a demo: named by the user, or temporary. Threading: confined to the demo.
 *
 * @param shown path as the user would type it
 * @param kept whether it is kept after the demo
 */
record DemoFolder(Path path, String shown, boolean kept) implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DemoFolder.class);
  private static final String MARK = "made-by-belfry-demo";
  private static final int NAMES = 9;

  /** Opens the directory; refuses one with other content than that of an earlier demo, because sample jobs do not belong there. */
  static DemoFolder open(Optional<Path> named) {
    try {
      if (named.isEmpty()) {
        Path fresh = fresh(Path.of(System.getProperty("java.io.tmpdir")));
        return new DemoFolder(fresh, fresh.toString(), false);
      }
      Path own = named.get();
      Check.that(
          isOurs(own),
          "--data",
          own.toString(),
          "must be a new or empty directory, or that of an earlier demo, because sample jobs are created in it",
          "Choose another directory, or leave it out.");
      Files.createDirectories(own);
      Files.writeString(own.resolve(MARK), "");
      return new DemoFolder(own.toAbsolutePath(), own.toString(), true);
    } catch (IOException e) {
      throw new UncheckedIOException("The demo's directory could not be created.", e);
    }
  }

  /** Creates a new directory with a short name that is easy to type, accessible only by its owner. */
  private static Path fresh(Path parent) throws IOException {
    var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    for (int i = 1; i <= NAMES; i++) {
      Path name = parent.resolve("belfry-demo" + (i == 1 ? "" : "-" + i));
      try {
        return Files.createDirectory(name, owner);
      } catch (FileAlreadyExistsException e) {
        LOG.debug("{} belongs to another demo that is running or was killed.", name, e);
      }
    }
    return Files.createTempDirectory(parent, "belfry-demo-");
  }

  private static boolean isOurs(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return true;
    }
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> inside = Files.list(directory)) {
      List<Path> found = inside.toList();
      return found.isEmpty() || found.contains(directory.resolve(MARK));
    }
  }

  /** The admin token, which the server has written to the directory. */
  String token() {
    try {
      return Files.readString(path.resolve("admin.token")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("The demo's token could not be read.", e);
    }
  }

  @Override
  public void close() {
    if (kept) {
      return;
    }
    try (Stream<Path> inside = Files.walk(path)) {
      for (Path each : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(path + " could not be removed.", e);
    }
  }
}
