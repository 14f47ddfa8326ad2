package io.belfry.core.fire;

import java.util.Arrays;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Timers for millions of numbered slots, earliest first: a binary heap on primitive arrays, 16 bytes per slot.
 *
 * <pre>
 *   heap index      0    1    2    3 …        a parent is never later than its children
 *   due[i]       09:00 09:01 09:00 09:07 …
 *   slot[i]         7    2    9    4 …
 *   where[slot]  the reverse index: a slot's heap index + 1, or 0 if it has no timer
 * </pre>
 *
 * The reverse index makes changing and removing a timer O(log n) instead of a search. Slots that are due in the same millisecond
 * come in the order of their numbers, so that a run is reproducible. Threading: confined to the loop that owns it.
 */
public final class DueTimers {
  private static final int LEAST = 16;

  private long[] due = new long[LEAST];
  private int[] slot = new int[LEAST];
  private int[] where = new int[LEAST];
  private int size;

  public int size() {
    return size;
  }

  /** Sets or moves the slot's timer. */
  public void set(int of, long dueMillis) {
    makeRoomFor(of);
    int at = where[of] - 1;
    if (at < 0) {
      at = size++;
    }
    place(at, dueMillis, of);
    if (!rise(at)) {
      sink(at);
    }
  }

  /** Removes the slot's timer, if it has one. */
  public void clear(int of) {
    int at = of < where.length ? where[of] - 1 : -1;
    if (at < 0) {
      return;
    }
    where[of] = 0;
    size--;
    if (at < size) {
      place(at, due[size], slot[size]);
      if (!rise(at)) {
        sink(at);
      }
    }
  }

  /** The slot's due time, if it has a timer. */
  public OptionalLong due(int of) {
    int at = of < where.length ? where[of] - 1 : -1;
    return at < 0 ? OptionalLong.empty() : OptionalLong.of(due[at]);
  }

  /** The due time of the earliest timer. */
  public OptionalLong next() {
    return size == 0 ? OptionalLong.empty() : OptionalLong.of(due[0]);
  }

  /** Removes and returns the earliest slot if it is due. */
  public OptionalInt popDue(long nowMillis) {
    if (size == 0 || due[0] > nowMillis) {
      return OptionalInt.empty();
    }
    int first = slot[0];
    clear(first);
    return OptionalInt.of(first);
  }

  private boolean rise(int from) {
    int at = from;
    while (at > 0 && isBefore(at, (at - 1) / 2)) {
      swap(at, (at - 1) / 2);
      at = (at - 1) / 2;
    }
    return at != from;
  }

  private void sink(int from) {
    int at = from;
    while (true) {
      int child = 2 * at + 1;
      if (child >= size) {
        return;
      }
      if (child + 1 < size && isBefore(child + 1, child)) {
        child++;
      }
      if (!isBefore(child, at)) {
        return;
      }
      swap(at, child);
      at = child;
    }
  }

  private boolean isBefore(int a, int b) {
    return due[a] < due[b] || (due[a] == due[b] && slot[a] < slot[b]);
  }

  private void swap(int a, int b) {
    long dueOfA = due[a];
    int slotOfA = slot[a];
    place(a, due[b], slot[b]);
    place(b, dueOfA, slotOfA);
  }

  private void place(int at, long dueMillis, int of) {
    due[at] = dueMillis;
    slot[at] = of;
    where[of] = at + 1;
  }

  private void makeRoomFor(int of) {
    if (of >= where.length) {
      where = Arrays.copyOf(where, Growth.toHold(of + 1, where.length));
    }
    if (size == due.length) {
      int length = Growth.toHold(size + 1, size);
      due = Arrays.copyOf(due, length);
      slot = Arrays.copyOf(slot, length);
    }
  }
}
