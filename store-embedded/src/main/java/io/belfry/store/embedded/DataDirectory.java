package io.belfry.store.embedded;

import io.belfry.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A directory that is ours alone while it is held. Held before anything in it is looked at: a log that another process
 * is writing looks torn.
 *
 * <p>Threading: immutable, but for closing, which its owner does once.
 */
final class DataDirectory implements AutoCloseable {
  /** Directories that this process holds: closing a second channel on a lock file would set the first one's lock free. */
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private static final String LOCK = "belfry.lock";
  private static final String OWNER = "belfry.pid";

  private final Path path;
  private final FileChannel channel;

  private DataDirectory(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  static DataDirectory hold(Path wanted) {
    try {
      Path path = create(wanted).toRealPath();
      if (!HELD_HERE.add(path)) {
        throw inUse(path, "this process itself");
      }
      try {
        return new DataDirectory(path, lock(path));
      } catch (IOException | RuntimeException e) {
        HELD_HERE.remove(path);
        throw e;
      }
    } catch (IOException e) {
      throw new StoreException.Denied(
          "The directory " + wanted + " cannot be used for a store: " + describe(e)
              + ". Choose another, or give the account that runs Belfry the right to write there.",
          e);
    }
  }

  private static Path create(Path wanted) throws IOException {
    boolean posix = wanted.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] ownerOnly = posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
    try {
      return Files.createDirectory(wanted, ownerOnly);
    } catch (FileAlreadyExistsException e) {
      if (Files.isDirectory(wanted)) {
        return wanted;
      }
      throw e;
    }
  }

  private static String describe(IOException e) {
    return switch (e) {
      case FileAlreadyExistsException exists -> "it is a file, not a directory";
      case NoSuchFileException missing ->
        "its parent directory does not exist, and only the last part of a path is created, so that a mistyped path is noticed";
      default -> e.toString();
    };
  }

  private static FileChannel lock(Path path) throws IOException {
    FileChannel channel =
        FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(path, owner(path));
      }
      Files.writeString(path.resolve(OWNER), ProcessHandle.current().pid() + "\n");
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static String owner(Path path) throws IOException {
    Path owner = path.resolve(OWNER);
    return Files.exists(owner)
        ? "another process (pid " + Files.readString(owner).strip() + ")"
        : "another process";
  }

  private static StoreException.Denied inUse(Path path, String by) {
    return new StoreException.Denied(
        "The store in " + path + " is open in " + by
            + ", and two would destroy each other's data. Stop the other one, or give this one its own directory.",
        null);
  }

  Path path() {
    return path;
  }

  /**
   * Whether no data set was ever begun here. Without this question RocksDB would take a directory that lost its CURRENT
   * file for a new one, and delete the rest.
   */
  boolean isFresh() throws IOException {
    if (Files.exists(path.resolve("CURRENT"))) {
      return false;
    }
    for (Path log : files("*.log")) {
      if (Files.size(log) > 0) {
        return false;
      }
    }
    return files("*.sst").isEmpty();
  }

  /** Refuses damage in what RocksDB would not refuse by itself. */
  void check() throws IOException {
    for (Path log : files("*.log")) {
      LogCheck.check(log);
    }
    Path current = path.resolve("CURRENT");
    if (Files.exists(current)) {
      Path manifest = path.resolve(Files.readString(current).strip());
      if (Files.isRegularFile(manifest)) {
        LogCheck.check(manifest);
      }
    }
  }

  /** What the logs weigh that must be written elsewhere when the database is opened. */
  long logBytes() throws IOException {
    long sum = 0;
    for (Path log : files("*.log")) {
      sum += Files.size(log);
    }
    return sum;
  }

  private List<Path> files(String pattern) throws IOException {
    var found = new ArrayList<Path>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(path, pattern)) {
      stream.forEach(found::add);
    }
    return found;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new StoreException.Unavailable(
          "The lock of " + path + " could not be given back: " + e, e);
    } finally {
      HELD_HERE.remove(path);
    }
  }
}
