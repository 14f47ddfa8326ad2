package io.belfry.executors.script;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of one attempt, which nobody else can read. Its name is also the mark by which the attempt's processes are known.
 *
 * <p>Threading: confined to the attempt's thread.
 */
final class Workplace implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Workplace.class);
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

  private final Path folder;

  private Workplace(Path folder) {
    this.folder = folder;
  }

  static Workplace in(Path temp) throws IOException {
    return new Workplace(
        Files.createTempDirectory(temp, "belfry-", PosixFilePermissions.asFileAttribute(FOLDER)));
  }

  Path folder() {
    return folder;
  }

  String mark() {
    return folder.getFileName().toString();
  }

  Path write(String name, byte[] content) throws IOException {
    Path file = folder.resolve(name);
    Files.createFile(file, PosixFilePermissions.asFileAttribute(FILE));
    return Files.write(file, content, StandardOpenOption.WRITE);
  }

  /** Deletes everything in it, links and not what they point to. */
  @Override
  public void close() {
    try {
      Files.walkFileTree(folder, new Deleting());
    } catch (IOException e) {
      LOG.warn("{} could not be deleted and stays behind. Delete it by hand.", folder, e);
    }
  }

  private static final class Deleting extends SimpleFileVisitor<Path> {

    /** A script may have taken its own rights away. */
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        Files.delete(file);
        return FileVisitResult.CONTINUE;
      }
      Files.setPosixFilePermissions(file, FOLDER);
      Files.walkFileTree(file, new Deleting());
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes)
        throws IOException {
      Files.setPosixFilePermissions(dir, FOLDER);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failure)
        throws IOException {
      Files.delete(dir);
      return FileVisitResult.CONTINUE;
    }
  }
}
