package io.belfry.core.record;

import java.util.Arrays;

/**
 * A Bloom filter with twenty bits a text: false positives for about one in five thousand texts, and never false negatives. Filters
 * with ten bits a text, which earlier versions wrote, have false positives for about one in a hundred.
 *
 * <p>Threading: confined to its owner while texts are added, immutable then.
 */
public final class Bloom {
  private static final int BITS_EACH = 20;
  private static final int PROBES = 7;

  private final byte[] bits;

  Bloom(byte[] bits) {
    this.bits = bits;
  }

  /** An empty filter for this many texts. */
  public static Bloom forCount(int texts) {
    return new Bloom(new byte[Math.max(1, (texts * BITS_EACH + Byte.SIZE - 1) / Byte.SIZE)]);
  }

  public void add(String text) {
    long hash = hash(text);
    for (int i = 0; i < PROBES; i++) {
      int bit = probe(hash, i);
      bits[bit >>> 3] |= (byte) (1 << (bit & 7));
    }
  }

  public boolean mayContain(String text) {
    long hash = hash(text);
    for (int i = 0; i < PROBES; i++) {
      int bit = probe(hash, i);
      if ((bits[bit >>> 3] & (1 << (bit & 7))) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Its size. */
  public int bytes() {
    return bits.length;
  }

  byte[] bits() {
    return bits;
  }

  /** Derives any number of hashes from the two halves of one long. */
  private int probe(long hash, int number) {
    int mixed = (int) hash + number * ((int) (hash >>> Integer.SIZE) | 1);
    return (int) (Integer.toUnsignedLong(mixed) % ((long) bits.length * Byte.SIZE));
  }

  /** Part of the stored format. */
  private static long hash(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return hash ^ (hash >>> 33);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bloom that && Arrays.equals(bits, that.bits);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bits);
  }

  @Override
  public String toString() {
    return bits.length + " bytes";
  }
}
