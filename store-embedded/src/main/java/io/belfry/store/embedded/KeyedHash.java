package io.belfry.store.embedded;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A 64-bit hash with a secret: names come from users, and a fixed hash lets them choose names that collide. The secret
 * belongs to the data set, so that sums over hashes can be kept on the disk.
 *
 * <p>Threading: immutable.
 */
record KeyedHash(long seed) {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ODD_1 = 0xa0761d6478bd642fL;
  private static final long ODD_2 = 0xe7037ed1a0b428dbL;

  long of(byte[] name) {
    long hash = seed ^ name.length * ODD_1;
    int at = 0;
    for (; at + Long.BYTES <= name.length; at += Long.BYTES) {
      hash = fold(hash ^ (long) LONGS.get(name, at), ODD_1);
    }
    long rest = 0;
    for (; at < name.length; at++) {
      rest = (rest << Byte.SIZE) | (name[at] & 0xff);
    }
    return fold(hash ^ rest, ODD_2);
  }

  /** What an entry adds to the sum over all live entries. */
  long weight(long hashOfName, long revision) {
    return fold(hashOfName ^ seed, revision ^ ODD_2);
  }

  private static long fold(long a, long b) {
    return a * b ^ Math.unsignedMultiplyHigh(a, b);
  }
}
