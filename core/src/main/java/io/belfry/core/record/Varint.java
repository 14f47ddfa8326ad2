package io.belfry.core.record;

/** Longs of one to ten bytes: seven bits in each, low ones first, the top bit set in all but the last. Threading: stateless. */
final class Varint {
  static final int LONGEST = 10;
  static final int BITS = 7;
  static final int MORE = 1 << BITS;

  private Varint() {}

  /** Returns the position after the written bytes. */
  static int put(byte[] to, int at, long value) {
    int next = at;
    long rest = value;
    while ((rest & -MORE) != 0) {
      to[next++] = (byte) (rest | MORE);
      rest >>>= BITS;
    }
    to[next++] = (byte) rest;
    return next;
  }

  static int length(int value) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(value | 1);
    return (bits + BITS - 1) / BITS;
  }

  /** Maps small negative numbers to small positive ones. */
  static long zigzag(long value) {
    return (value << 1) ^ (value >> (Long.SIZE - 1));
  }

  static long unzigzag(long value) {
    return (value >>> 1) ^ -(value & 1);
  }
}
