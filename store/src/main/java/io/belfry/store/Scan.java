package io.belfry.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of an ordered space: names from {@code from} (inclusive) to {@code to} (exclusive, null for the end).
 *
 * @param limit how many entries a page may have at most
 */
public record Scan(Space space, byte[] from, byte @Nullable [] to, int limit) {

  public Scan {
    if (!space.ordered()) {
      throw new IllegalArgumentException("Only an ordered space can be scanned, but " + space
          + " is not. Declare it with" + " inOrder(), or read its keys by name.");
    }
    if (limit < 1 || limit > Limits.SCAN_ENTRIES_MAX) {
      throw new IllegalArgumentException("A page must have 1 to " + Limits.SCAN_ENTRIES_MAX
          + " entries, but was asked" + " for " + limit + ". Take several pages.");
    }
  }

  public static Scan all(Space space) {
    return new Scan(space, new byte[0], null, Limits.SCAN_ENTRIES_MAX);
  }

  /** All names that begin with {@code prefix}. */
  public static Scan prefix(Space space, byte[] prefix) {
    return new Scan(space, prefix, successor(prefix), Limits.SCAN_ENTRIES_MAX);
  }

  public Scan limit(int most) {
    return new Scan(space, from, to, most);
  }

  /** The rest of this scan behind the given key. */
  public Scan after(Key last) {
    return new Scan(space, Arrays.copyOf(last.name(), last.name().length + 1), to, limit);
  }

  /** Whether the stretch is empty by its bounds alone. */
  public boolean isEmpty() {
    return to != null && Arrays.compareUnsigned(from, to) >= 0;
  }

  /** The smallest bytes that are larger than everything that begins with {@code prefix}; null when there are none. */
  private static byte @Nullable [] successor(byte[] prefix) {
    for (int i = prefix.length - 1; i >= 0; i--) {
      if (prefix[i] != (byte) 0xff) {
        byte[] next = Arrays.copyOf(prefix, i + 1);
        next[i]++;
        return next;
      }
    }
    return null;
  }
}
