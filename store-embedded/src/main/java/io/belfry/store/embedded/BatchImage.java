package io.belfry.store.embedded;

import io.belfry.store.Lease;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A RocksDB write batch, written down as RocksDB itself serialises it. Handing over the whole image is one call into
 * native code; a call per record costs more than everything else that is done for it. A test compares the image with
 * what RocksDB writes.
 *
 * <pre>
 *   sequence 8 (RocksDB's) | count 4 | { 1 name value | 0 name } …        name, value: varint length, bytes
 * </pre>
 *
 * <p>Threading: confined to the writer.
 */
final class BatchImage {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int COUNT = 8;
  private static final int HEADER = 12;
  private static final int VARINT_MAX = 5;
  private static final byte DELETE = 0;
  private static final byte PUT = 1;

  private byte[] image;
  private int at = HEADER;
  private int count;

  BatchImage(int expectedBytes) {
    image = new byte[HEADER + expectedBytes];
  }

  void put(byte[] name, byte[] value) {
    begin(PUT, name, value.length);
    varint(value.length);
    bytes(value);
  }

  void putEntry(byte[] name, int tag, long revision, long lease, byte[] value) {
    int length = Layout.header(tag) + value.length;
    begin(PUT, name, length);
    varint(length);
    image[at++] = (byte) tag;
    putLong(revision);
    if (lease != Lease.NONE) {
      putLong(lease);
    }
    bytes(value);
  }

  void delete(byte[] name) {
    begin(DELETE, name, 0);
  }

  int bytes() {
    return at;
  }

  byte[] toBytes() {
    INTS.set(image, COUNT, count);
    return Arrays.copyOf(image, at);
  }

  private void begin(byte kind, byte[] name, int valueLength) {
    ensure(1L + 2 * VARINT_MAX + name.length + valueLength);
    image[at++] = kind;
    varint(name.length);
    bytes(name);
    count++;
  }

  private void ensure(long more) {
    if (at + more > image.length) {
      image = Arrays.copyOf(image, Math.toIntExact(Math.max(at + more, image.length * 3L / 2)));
    }
  }

  private void varint(int number) {
    int rest = number;
    while (rest > 0x7f) {
      image[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    image[at++] = (byte) rest;
  }

  private void putLong(long number) {
    LONGS.set(image, at, number);
    at += Long.BYTES;
  }

  private void bytes(byte[] bytes) {
    System.arraycopy(bytes, 0, image, at, bytes.length);
    at += bytes.length;
  }
}
