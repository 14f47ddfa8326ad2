package io.belfry.server.node;

import io.belfry.model.Check;
import io.belfry.server.config.SettingsCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Locks the data directory for one node at a time, with every engine: two nodes would overwrite each other's address and keys. The operating
 * system releases the lock when the process ends.
 *
 * <p>Threading: taken and released once.
 */
public final class DataLock implements AutoCloseable {
  private static final String FILE = "node.lock";

  private final FileChannel channel;

  private DataLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Creates the directory if necessary and locks it; refused while another node holds the lock. */
  public static DataLock take(Path data) {
    KeyFiles.makePrivate(data);
    Path file = data.resolve(FILE);
    FileChannel channel = open(file);
    boolean taken = false;
    try {
      if (!isFree(channel)) {
        throw Check.refusal(
            SettingsCatalog.DATA.key(),
            data.toString(),
            "must be used by one node only, and another node uses it (" + owner(file) + ")",
            "Stop the other node, or set another directory with --data.");
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(
          ("process " + ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8)));
      taken = true;
      return new DataLock(channel);
    } catch (IOException e) {
      throw new UncheckedIOException("The file " + file + " could not be written.", e);
    } finally {
      if (!taken) {
        close(channel);
      }
    }
  }

  private static FileChannel open(Path file) {
    try {
      return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw Check.refusal(
          SettingsCatalog.DATA.key(),
          String.valueOf(file.getParent()),
          "must be a directory that can be written (" + e.getClass().getSimpleName() + ")",
          "Check its permissions.");
    }
  }

  private static boolean isFree(FileChannel channel) throws IOException {
    try {
      @Nullable FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private static String owner(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "unknown process";
    }
  }

  private static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("The lock of the data directory could not be released.", e);
    }
  }

  @Override
  public void close() {
    close(channel);
  }
}
