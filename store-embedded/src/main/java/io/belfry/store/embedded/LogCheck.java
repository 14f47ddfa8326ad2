package io.belfry.store.embedded;

import io.belfry.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * Tells a torn tail from damage, before RocksDB reads its logs (write-ahead logs and manifests share one form).
 *
 * <pre>
 *   block of 32 KiB: { crc 4 | length 2 | type 1 | payload } … zeros where no header fits
 * </pre>
 *
 * A process that dies leaves a log that ends in the middle of a record: the record was never acknowledged and RocksDB
 * cuts it off. But RocksDB takes a record for torn whenever its length points behind the end of the file, and one
 * flipped bit in a length does that too: it would drop acknowledged records without a word. Here a tail counts as torn
 * only if nothing intact stands in it.
 *
 * <p>Threading: confined to its caller.
 */
final class LogCheck {
  private static final int BLOCK = 32 << 10;
  private static final int HEADER = 7;
  private static final int LENGTH_BITS = 16;
  private static final int CRC_MASK = 0xa282ead8;

  private enum Verdict {
    INTACT,
    ZEROS,
    STICKS_OUT,
    BROKEN
  }

  private final Path file;
  private final CRC32C crc = new CRC32C();
  private final ByteBuffer block = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
  private int filled;

  private LogCheck(Path file) {
    this.file = file;
  }

  static void check(Path file) throws IOException {
    new LogCheck(file).check();
  }

  private void check() throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      boolean zerosBegan = false;
      for (long start = 0; start < size; start += BLOCK) {
        fill(channel, start);
        zerosBegan = checkBlock(start, zerosBegan);
      }
    }
  }

  private void fill(FileChannel channel, long start) throws IOException {
    block.clear();
    while (block.hasRemaining() && channel.read(block, start + block.position()) > 0) {
      // a read may bring less than asked for
    }
    filled = block.position();
  }

  /** Whether the rest of the log must be zeros: space that was reserved and never written. */
  private boolean checkBlock(long start, boolean zerosBegan) {
    int at = 0;
    while (!zerosBegan && filled - at > 0 && BLOCK - at >= HEADER) {
      switch (judge(at)) {
        case INTACT -> at += HEADER + length(at);
        case ZEROS -> zerosBegan = true;
        case STICKS_OUT -> {
          if (somethingIntactBehind(at)) {
            throw damaged(start + at);
          }
          return false;
        }
        case BROKEN -> throw damaged(start + at);
      }
    }
    for (int i = at; i < filled; i++) {
      if (block.get(i) != 0) {
        throw damaged(start + i);
      }
    }
    return zerosBegan;
  }

  private Verdict judge(int at) {
    if (filled - at < HEADER) {
      return Verdict.STICKS_OUT;
    }
    int length = length(at);
    if (length == 0 && block.get(at + HEADER - 1) == 0 && block.getInt(at) == 0) {
      return Verdict.ZEROS;
    }
    if (at + HEADER + length > BLOCK) {
      return Verdict.BROKEN;
    }
    if (at + HEADER + length > filled) {
      return Verdict.STICKS_OUT;
    }
    return crcFits(at, length) ? Verdict.INTACT : Verdict.BROKEN;
  }

  /**
   * Whether the record that seems torn is whole under another length, or another record follows it. What follows must go
   * on to the end of the file: a record's image inside a value does not count.
   */
  private boolean somethingIntactBehind(int torn) {
    if (filled - torn < HEADER) {
      return false;
    }
    for (int bit = 0; bit < LENGTH_BITS; bit++) {
      int length = length(torn) ^ 1 << bit;
      if (torn + HEADER + length <= filled && crcFits(torn, length)) {
        return true;
      }
    }
    for (int at = torn + HEADER; at + HEADER <= filled; at++) {
      if (judge(at) == Verdict.INTACT && reachesTheEnd(at)) {
        return true;
      }
    }
    return false;
  }

  private boolean reachesTheEnd(int from) {
    int at = from;
    while (at < filled) {
      Verdict verdict = judge(at);
      if (verdict == Verdict.STICKS_OUT) {
        return true;
      }
      if (verdict != Verdict.INTACT) {
        return false;
      }
      at += HEADER + length(at);
    }
    return true;
  }

  private int length(int at) {
    return block.getShort(at + 4) & 0xffff;
  }

  private boolean crcFits(int at, int length) {
    crc.reset();
    crc.update(block.array(), at + HEADER - 1, 1 + length);
    int value = (int) crc.getValue();
    return (value >>> 15 | value << 17) + CRC_MASK == block.getInt(at);
  }

  private StoreException.Damaged damaged(long position) {
    return new StoreException.Damaged(
        "The log " + file + " is damaged at byte " + position
            + ": the record there does not match its checksum or its length, and it is not a torn tail. Opening it would"
            + " drop acknowledged commits without a word, so the store stays closed. Check the disk, then restore a backup of"
            + " the whole directory.",
        null);
  }
}
