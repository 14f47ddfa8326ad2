package io.belfry.store.embedded;

import io.belfry.store.LogLimiter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that holds a part of the room that the store leaves free, for deletes. It is written when the disk begins to fill up, and deleted when another program has taken the room that
 * the store left free: what becomes free then is enough to write deletes, so that trimming can make room.
 *
 * <pre>
 *   free bytes:   0 ──────── size ───────────────── room ─────────── 2 × room ────────▶
 *   the file      is given up                         is written
 *   taken are     deletes     deletes, elections      all writes
 * </pre>
 *
 * <p>Threading: confined to the writer.
 */
final class DiskReserve {
  static final String FILE = "belfry.reserve";

  private static final Logger LOG = LoggerFactory.getLogger(DiskReserve.class);
  private static final int SHARE_OF_ROOM = 8;
  private static final int CHUNK = 64 << 10;

  private final Path file;
  private final long roomBytes;
  private final long size;
  private final LogLimiter limiter;
  /** In bytes: a process that died while it wrote the file left less than all of it. */
  private long held;

  /**
   * @param roomBytes what the store leaves free; 0 for a store that has no reserve either
   */
  DiskReserve(Path directory, long roomBytes, LogLimiter limiter) {
    this.file = directory.resolve(FILE);
    this.roomBytes = roomBytes;
    this.limiter = limiter;
    this.size = roomBytes / SHARE_OF_ROOM;
    this.held = file.toFile().length();
  }

  /** What the file holds at the moment: a part of the room that the store leaves free. */
  long heldBytes() {
    return Math.min(held, size);
  }

  /** What deletes must find free, in the file or beside it. */
  long sizeBytes() {
    return size;
  }

  /** Called often, with what is free on the disk. */
  void look(long usableBytes) {
    if (held > 0 && usableBytes < size) {
      giveUp(usableBytes);
    } else if (held < size && usableBytes >= roomBytes / 2 && usableBytes < 2 * roomBytes) {
      take();
    }
  }

  private void take() {
    try (FileChannel channel = FileChannel.open(
        file,
        StandardOpenOption.CREATE,
        StandardOpenOption.WRITE,
        StandardOpenOption.TRUNCATE_EXISTING)) {
      byte[] chunk = new byte[CHUNK];
      for (int i = 0; i < CHUNK; i++) {
        chunk[i] = (byte) (i * 31 ^ i >> 8); // not zeros, which some file systems do not store
      }
      for (long left = size; left > 0; left -= CHUNK) {
        channel.write(ByteBuffer.wrap(chunk, 0, (int) Math.min(CHUNK, left)));
      }
      channel.force(false);
      held = size;
    } catch (IOException e) {
      boolean unused = limiter.log(
          "reserve written",
          more -> LOG.warn(
              "The reserve {} could not be written: {}. Deletes may fail when the disk is full.{}",
              file,
              e.toString(),
              more));
      delete();
    }
  }

  private void giveUp(long usableBytes) {
    if (delete()) {
      boolean unused = limiter.log(
          "reserve given up",
          more -> LOG.warn(
              "The disk of {} has only {} bytes left: another program took what the store left free. The reserve of {} bytes was given up, so that"
                  + " deletes still work. Make room.{}",
              file,
              usableBytes,
              size,
              more));
    }
  }

  /** Whether it is gone. */
  private boolean delete() {
    try {
      Files.deleteIfExists(file);
      held = 0;
      return true;
    } catch (IOException e) {
      boolean unused = limiter.log(
          "reserve deleted",
          more -> LOG.warn("The reserve {} could not be deleted: {}{}", file, e.toString(), more));
      return false;
    }
  }
}
