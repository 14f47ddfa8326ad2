package io.belfry.store.embedded;

import io.belfry.store.Revision;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A hash table over one byte array.
 *
 * <pre>
 *   table:  [ . | hash 4, place 4 | . | hash 4, place 4 ]     open addressing, no tombstones; place 0 is none
 *   arena:  [ . revision 8 | length 2 | name … | revision 8 | length 2 | name … ]
 * </pre>
 *
 * The hash stands in the table, so that passing over another name does not touch the arena. Removed names leave holes in
 * the arena; it is copied without them when it is full and a quarter of it is holes.
 *
 * <p>Threading: confined to the writer.
 */
final class LiveSegment {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int LENGTH = Long.BYTES;
  private static final int NAME = LENGTH + Short.BYTES;
  private static final long EMPTY = 0;

  private long[] table = new long[8];
  private byte[] arena = new byte[1];
  private int used = 1;
  private int holes;
  private int size;

  long get(byte[] name, int hash) {
    long slot = table[indexOf(name, hash)];
    return slot == EMPTY ? Revision.NONE : (long) LONGS.get(arena, place(slot));
  }

  /** Answers the revision before. */
  long put(byte[] name, int hash, long revision) {
    int index = indexOf(name, hash);
    if (table[index] != EMPTY) {
      int place = place(table[index]);
      long before = (long) LONGS.get(arena, place);
      LONGS.set(arena, place, revision);
      return before;
    }
    if (3 * (size + 1) > 2 * table.length) {
      table = rehashed(2 * table.length);
      index = indexOf(name, hash);
    }
    if (NAME + name.length > arena.length - used) {
      makeRoom(NAME + name.length);
    }
    table[index] = slot(hash, used);
    LONGS.set(arena, used, revision);
    SHORTS.set(arena, used + LENGTH, (short) name.length);
    System.arraycopy(name, 0, arena, used + NAME, name.length);
    used += NAME + name.length;
    size++;
    return Revision.NONE;
  }

  boolean remove(byte[] name, int hash) {
    int index = indexOf(name, hash);
    if (table[index] == EMPTY) {
      return false;
    }
    holes += NAME + name.length;
    size--;
    closeGap(index);
    return true;
  }

  long bytes() {
    return arena.length + (long) table.length * Long.BYTES;
  }

  /** Where the name is, or where it would be put. */
  private int indexOf(byte[] name, int hash) {
    int mask = table.length - 1;
    int index = hash & mask;
    for (long slot = table[index]; slot != EMPTY; slot = table[index]) {
      if (hash(slot) == hash && isAt(place(slot), name)) {
        return index;
      }
      index = (index + 1) & mask;
    }
    return index;
  }

  private boolean isAt(int place, byte[] name) {
    int from = place + NAME;
    return lengthAt(place) == name.length
        && Arrays.equals(arena, from, from + name.length, name, 0, name.length);
  }

  private int lengthAt(int place) {
    return (short) SHORTS.get(arena, place + LENGTH);
  }

  /** Moves up those that stand further from home than they need to, so that a search may stop at the first gap. */
  private void closeGap(int index) {
    int mask = table.length - 1;
    int gap = index;
    for (int next = (gap + 1) & mask; table[next] != EMPTY; next = (next + 1) & mask) {
      int home = hash(table[next]) & mask;
      if (((next - home) & mask) >= ((next - gap) & mask)) {
        table[gap] = table[next];
        gap = next;
      }
    }
    table[gap] = EMPTY;
  }

  private long[] rehashed(int length) {
    long[] larger = new long[length];
    for (long slot : table) {
      if (slot != EMPTY) {
        int index = hash(slot) & (length - 1);
        while (larger[index] != EMPTY) {
          index = (index + 1) & (length - 1);
        }
        larger[index] = slot;
      }
    }
    return larger;
  }

  private void makeRoom(int wanted) {
    int live = used - holes;
    long roomy = live + (long) wanted + (live >> 3) + 64;
    if (holes < used >> 2) {
      arena = Arrays.copyOf(arena, Math.toIntExact(roomy + holes));
      return;
    }
    byte[] fresh = new byte[Math.toIntExact(roomy)];
    int to = 1;
    for (int i = 0; i < table.length; i++) {
      if (table[i] != EMPTY) {
        int length = NAME + lengthAt(place(table[i]));
        System.arraycopy(arena, place(table[i]), fresh, to, length);
        table[i] = slot(hash(table[i]), to);
        to += length;
      }
    }
    arena = fresh;
    used = to;
    holes = 0;
  }

  private static long slot(int hash, int place) {
    return (long) hash << Integer.SIZE | place;
  }

  private static int hash(long slot) {
    return (int) (slot >>> Integer.SIZE);
  }

  private static int place(long slot) {
    return (int) slot;
  }
}
