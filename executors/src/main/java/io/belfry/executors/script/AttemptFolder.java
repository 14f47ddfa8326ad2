package io.belfry.executors.script;

import io.belfry.model.time.Time;
import java.io.Closeable;
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
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one attempt, which only the user of the script can read. Its name is also the mark by which the attempt's processes are
 * known.
 *
 * <p>Threading: confined to the attempt's thread, or to the one that it is handed over to at its end.
 */
final class AttemptFolder implements Closeable {
  private static final Duration DELETING = Duration.ofMinutes(1);
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

  private static final Set<PosixFilePermission> PASSABLE =
      PosixFilePermissions.fromString("rwx--x--x");

  private final Path folder;
  private final Optional<ScriptUser> user;
  private final Time time;
  private boolean given;

  private AttemptFolder(Path folder, Optional<ScriptUser> user, Time time) {
    this.folder = folder;
    this.user = user;
    this.time = time;
  }

  /** A new one. The folder for all of them is made again if something that cleans up has deleted it. */
  static AttemptFolder in(ScriptRules rules, Time time) throws IOException {
    Path temp = rules.temp();
    if (!Files.exists(temp, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(
          temp, PosixFilePermissions.asFileAttribute(rules.user().isPresent() ? PASSABLE : FOLDER));
    }
    int owner = ScriptUser.owner(temp, LinkOption.NOFOLLOW_LINKS);
    if (owner != 0 && owner != ScriptUser.own()) {
      throw new IOException(temp + " belongs to another user (" + owner
          + "), who could replace what scripts are given");
    }
    Path real = temp.toRealPath(); // the kernel names folders and files of processes by it
    Path folder =
        Files.createTempDirectory(real, "belfry-", PosixFilePermissions.asFileAttribute(FOLDER));
    return new AttemptFolder(folder, rules.user(), time);
  }

  /** Hands everything in it over to the user of the script. Nothing can be written into it afterwards. */
  void give() throws IOException {
    if (user.isPresent()) {
      user.get().give(folder);
      given = true;
    }
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

  /** A file of the server beside the folder, which only the server can change. */
  Path beside(String name) {
    return folder.resolveSibling(mark() + "." + name);
  }

  @Override
  public void close() throws IOException {
    delete(DELETING);
  }

  /**
   * Deletes everything in it, links and not what they point to, and the folder itself: as the user of the script if that could change it.
   *
   * @throws IOException if that fails, or takes longer than the limit
   */
  void delete(Duration limit) throws IOException {
    if (user.isPresent() && given) {
      user.get().empty(folder, limit);
      Files.delete(folder);
    } else {
      Files.walkFileTree(folder, new Deleting(time, time.nanos() + limit.toNanos()));
    }
  }

  private static final class Deleting extends SimpleFileVisitor<Path> {
    private final Time time;
    private final long until;

    private Deleting(Time time, long until) {
      this.time = time;
      this.until = until;
    }

    /** A script may have taken its own rights away. */
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        Files.delete(file);
        return FileVisitResult.CONTINUE;
      }
      Files.setPosixFilePermissions(file, FOLDER);
      Files.walkFileTree(file, this);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes)
        throws IOException {
      checkTime();
      Files.setPosixFilePermissions(dir, FOLDER);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      checkTime();
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    /** A script may have left more than can be deleted in a reasonable time. */
    private void checkTime() throws IOException {
      if (until - time.nanos() < 0) {
        throw new IOException("there is too much in it to delete it at once");
      }
    }

    @Override
    public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failure)
        throws IOException {
      Files.delete(dir);
      return FileVisitResult.CONTINUE;
    }
  }
}
