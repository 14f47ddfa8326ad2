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
 * The folder of one attempt, which only the script's user can read. Its name is also the mark that identifies the attempt's processes.
 *
 * <p>Threading: confined to the attempt's thread, or to the thread that deletes it afterwards.
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

  /** Creates a folder. Its parent is created again if a cleanup tool has deleted it. */
  static AttemptFolder in(ScriptRules rules, Time time) throws IOException {
    Path temp = rules.temp();
    if (!Files.exists(temp, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(
          temp, PosixFilePermissions.asFileAttribute(rules.user().isPresent() ? PASSABLE : FOLDER));
    }
    int owner = ScriptUser.owner(temp, LinkOption.NOFOLLOW_LINKS);
    if (owner != 0 && owner != ScriptUser.own()) {
      throw new IOException(temp + " belongs to another user (" + owner
          + "), who could replace the files of scripts");
    }
    Path real = temp.toRealPath(); // /proc shows folders and files by their real path
    Path folder =
        Files.createTempDirectory(real, "belfry-", PosixFilePermissions.asFileAttribute(FOLDER));
    return new AttemptFolder(folder, rules.user(), time);
  }

  /** Makes the script's user the owner of the folder and its files. The server cannot write to it afterwards. */
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

  /** The path of a file beside the folder, which only the server can change. */
  Path beside(String name) {
    return folder.resolveSibling(mark() + "." + name);
  }

  @Override
  public void close() throws IOException {
    delete(DELETING);
  }

  /**
   * Deletes the folder and its contents, without following links. Does so as the script's user if that user could change the contents.
   *
   * @throws IOException if the deletion fails, or takes longer than the limit
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

    /** Restores permissions that a script may have removed. */
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

    /** Checks the time limit: a script may have left too many files. */
    private void checkTime() throws IOException {
      if (until - time.nanos() < 0) {
        throw new IOException("it contains too many files to delete them in time");
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
