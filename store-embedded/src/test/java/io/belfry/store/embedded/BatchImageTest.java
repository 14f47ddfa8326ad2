package io.belfry.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.Lease;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

class BatchImageTest {
  static {
    NativeLibrary.load();
  }

  @Test
  void the_image_is_what_rocksdb_itself_would_write() throws RocksDBException {
    var random = new Random(7);
    var image = new BatchImage(0);
    try (var batch = new WriteBatch()) {
      for (int length : new int[] {0, 1, 127, 128, 129, 16_383, 16_384, 1 << 20}) {
        byte[] name = bytes(random, 1 + length % 1000);
        byte[] value = bytes(random, length);
        image.put(name, value);
        batch.put(name, value);
        image.delete(name);
        batch.delete(name);
        image.putEntry(name, 0, 42, Lease.NONE, value);
        batch.put(name, entry(0, 42, value));
      }
      image.putEntry(new byte[] {1}, 1, 43, 99, new byte[] {5});
      batch.put(
          new byte[] {1},
          ByteBuffer.allocate(18)
              .put((byte) 1)
              .putLong(43)
              .putLong(99)
              .put((byte) 5)
              .array());
      assertThat(image.toBytes()).isEqualTo(batch.data());
    }
  }

  private static byte[] entry(int tag, long revision, byte[] value) {
    return ByteBuffer.allocate(9 + value.length)
        .put((byte) tag)
        .putLong(revision)
        .put(value)
        .array();
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
