package io.belfry.store.embedded;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Space;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * How things are named and written on the disk.
 *
 * <pre>
 *   0 'f'                    format and hash seed of this data set
 *   0 'h'                    head: revision, leases granted, sum of all live entries
 *   0 'l' id                 a lease: TTL in nanoseconds
 *   space 0 name             an entry: tag, revision, (lease,) value
 * </pre>
 *
 * A space's name has no zero byte and begins with a letter: spaces do not leak into each other, and what begins with
 * zero is ours. RocksDB orders by unsigned bytes, as scans do.
 *
 * <p>Threading: stateless.
 */
final class Layout {
  static final byte[] FORMAT = {0, 'f'};
  static final byte[] HEAD = {0, 'h'};
  static final byte[] LEASES = {0, 'l'};
  /** The first name that may be an entry's. */
  static final byte[] ENTRIES = {'a'};

  private static final int LEASED = 1;
  private static final int ORDERED = 2;
  private static final int TOGETHER = 4;
  private static final int BY_KEY = 8;

  private Layout() {}

  static byte[] key(Key key) {
    return name(key.space(), key.name());
  }

  static byte[] name(Space space, byte[] name) {
    String prefix = space.name();
    byte[] encoded = new byte[prefix.length() + 1 + name.length];
    for (int i = 0; i < prefix.length(); i++) {
      encoded[i] = (byte) prefix.charAt(i);
    }
    System.arraycopy(name, 0, encoded, prefix.length() + 1, name.length);
    return encoded;
  }

  /** The first bytes behind everything of the space. */
  static byte[] end(Space space) {
    byte[] end = name(space, new byte[0]);
    end[end.length - 1] = 1;
    return end;
  }

  static byte[] lease(long id) {
    return ByteBuffer.allocate(LEASES.length + Long.BYTES)
        .put(LEASES)
        .putLong(id)
        .array();
  }

  static long leaseId(byte[] encoded) {
    return ByteBuffer.wrap(encoded).getLong(LEASES.length);
  }

  static boolean isLease(byte[] encoded) {
    return encoded.length == LEASES.length + Long.BYTES && encoded[0] == 0 && encoded[1] == 'l';
  }

  static int tag(Space space, long lease) {
    return (lease == Lease.NONE ? 0 : LEASED)
        | (space.ordered() ? ORDERED : 0)
        | switch (space.watched()) {
          case NO -> 0;
          case TOGETHER -> TOGETHER;
          case BY_KEY -> BY_KEY;
        };
  }

  private static Space.Watched watched(int tag) {
    return (tag & TOGETHER) != 0
        ? Space.Watched.TOGETHER
        : (tag & BY_KEY) != 0 ? Space.Watched.BY_KEY : Space.Watched.NO;
  }

  /** Bytes in front of the value. */
  static int header(int tag) {
    return 1 + Long.BYTES + ((tag & LEASED) == 0 ? 0 : Long.BYTES);
  }

  static boolean isLeased(int tag) {
    return (tag & LEASED) != 0;
  }

  /** The key as it was given when the entry was written, with what its space had declared. */
  static Key key(byte[] encoded, int tag) {
    int zero = 0;
    while (encoded[zero] != 0) {
      zero++;
    }
    var space =
        new Space(new String(encoded, 0, zero, US_ASCII), (tag & ORDERED) != 0, watched(tag));
    return Key.of(space, Arrays.copyOfRange(encoded, zero + 1, encoded.length));
  }

  static Entry entry(Key key, byte[] stored) {
    return new Entry(
        key,
        Arrays.copyOfRange(stored, header(stored[0]), stored.length),
        ByteBuffer.wrap(stored).getLong(1));
  }
}
