package io.belfry.core.fire;

import io.belfry.model.job.JobId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Assigns a small number to each job id, and reuses the numbers of removed ids.
 *
 * <p>Open addressing with linear probing: {@code table} holds slot + 1, or 0 for free, and is at most half full up to the next
 * doubling. Removing an entry moves later entries of its run back, so there are no tombstones. Ids are kept as bytes, because they
 * are plain ASCII and a {@code String} costs 24 bytes more. Threading: confined to the loop that owns it.
 */
final class JobIndex {
  private static final int LEAST = 16;

  private int[] table = new int[2 * LEAST];
  private byte[] @Nullable [] ids = new byte[LEAST][];
  private int[] hashes = new int[LEAST];

  /** Numbers of removed ids, linked through {@code hashes}: the first one + 1, or 0. */
  private int free;

  private int used;
  private int size;

  int size() {
    return size;
  }

  /** The highest number of slots ever in use at once. */
  int slots() {
    return used;
  }

  /** The number of the id, or -1. */
  int find(JobId id) {
    int hash = hash(id);
    for (int at = hash & mask(); table[at] != 0; at = (at + 1) & mask()) {
      int slot = table[at] - 1;
      if (hashes[slot] == hash && isId(slot, id.value())) {
        return slot;
      }
    }
    return -1;
  }

  /** Assigns a number to an id that has none. */
  int add(JobId id) {
    if (2 * (size + 1) > table.length) {
      rehash(2 * table.length);
    }
    int slot = takeSlot();
    ids[slot] = id.value().getBytes(StandardCharsets.ISO_8859_1);
    hashes[slot] = hash(id);
    enter(slot);
    size++;
    return slot;
  }

  void remove(int slot) {
    int hole = hashes[slot] & mask();
    while (table[hole] != slot + 1) {
      hole = (hole + 1) & mask();
    }
    closeUp(hole);
    ids[slot] = null;
    hashes[slot] = free;
    free = slot + 1;
    size--;
  }

  boolean isUsed(int slot) {
    return ids[slot] != null;
  }

  JobId id(int slot) {
    byte[] id = ids[slot];
    if (id == null) {
      throw new IllegalStateException("slot " + slot + " has no job");
    }
    return new JobId(new String(id, StandardCharsets.ISO_8859_1));
  }

  /** Closes the gap: moves back the entries that were displaced by the removed one. */
  private void closeUp(int from) {
    int hole = from;
    for (int at = (hole + 1) & mask(); table[at] != 0; at = (at + 1) & mask()) {
      int home = hashes[table[at] - 1] & mask();
      if (((at - home) & mask()) >= ((at - hole) & mask())) {
        table[hole] = table[at];
        hole = at;
      }
    }
    table[hole] = 0;
  }

  private int takeSlot() {
    if (free != 0) {
      int slot = free - 1;
      free = hashes[slot];
      return slot;
    }
    if (used == ids.length) {
      int length = Growth.toHold(used + 1, used);
      ids = Arrays.copyOf(ids, length);
      hashes = Arrays.copyOf(hashes, length);
    }
    return used++;
  }

  private void enter(int slot) {
    int at = hashes[slot] & mask();
    while (table[at] != 0) {
      at = (at + 1) & mask();
    }
    table[at] = slot + 1;
  }

  private void rehash(int length) {
    int[] old = table;
    table = new int[length];
    for (int entry : old) {
      if (entry != 0) {
        enter(entry - 1);
      }
    }
  }

  private boolean isId(int slot, String id) {
    byte[] bytes = ids[slot];
    if (bytes == null || bytes.length != id.length()) {
      return false;
    }
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != id.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Mixed, because sequential ids would otherwise form long runs. */
  private static int hash(JobId id) {
    return (int) (Jitter.mix(id.value().hashCode()) >>> 32);
  }

  private int mask() {
    return table.length - 1;
  }
}
