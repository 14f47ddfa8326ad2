package io.belfry.store.embedded;

import io.belfry.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The first record of a data set: who wrote it, in what form, and the seed of its hash. */
final class Format {
  private static final int VERSION = 1;
  private static final long MAGIC = 0x42454c4652590000L; // "BELFRY"

  private Format() {}

  static byte[] write(KeyedHash hash) {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(MAGIC | VERSION)
        .putLong(hash.seed())
        .array();
  }

  static KeyedHash read(byte[] stored, Path directory) {
    boolean known =
        stored.length == 2 * Long.BYTES && ByteBuffer.wrap(stored).getLong() == (MAGIC | VERSION);
    if (!known) {
      throw new StoreException.Denied(
          "The store in " + directory + " is written in a form that this version, which knows form "
              + VERSION + ", does not. Use the version that wrote it, or a newer one.",
          null);
    }
    return new KeyedHash(ByteBuffer.wrap(stored).getLong(Long.BYTES));
  }
}
