package io.belfry.store.embedded;

import io.belfry.model.time.Time;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;

/**
 * The leases and their keys. Whether a lease exists and what belongs to it is on the disk, so that the next process can end what this one
 * leaves behind; when it ends is only here, so that leases begin again when the database was opened again after a failure of the disk.
 *
 * <p>A renewal writes nothing, so it does not wait for the writer, which may be in the middle of a slow sync: only the writer ends a lease,
 * and it marks the lease before it writes the end.
 *
 * <p>Threading: confined to the writer, except {@link #renewAtOnce}, which is safe; what both touch is guarded by this object.
 */
final class Leases {
  private static final class Held {
    final long ttlNanos;
    long endsAt;
    /** Its end is being written, or may have been. */
    boolean ending;

    final SequencedSet<Key> keys = new LinkedHashSet<>();

    Held(long ttlNanos, long now) {
      this.ttlNanos = ttlNanos;
      this.endsAt = now + ttlNanos;
    }
  }

  private final Map<Long, Held> held = new LinkedHashMap<>();
  private final Map<Key, Long> leaseOf = new HashMap<>();
  private long lookedAt;
  private boolean closed;

  Leases(long now) {
    lookedAt = now;
  }

  /** When it was last looked at. */
  long now() {
    return lookedAt;
  }

  synchronized void add(long lease, long ttlNanos, long now) {
    held.put(lease, new Held(ttlNanos, now));
  }

  List<Long> all() {
    return List.copyOf(held.keySet());
  }

  boolean contains(long lease) {
    return held.containsKey(lease);
  }

  Set<Key> keysOf(long lease) {
    Held one = held.get(lease);
    return one == null ? Set.of() : one.keys;
  }

  /** Renews it on the writer's thread; false if it does not exist. */
  synchronized boolean renew(long lease, Time time) {
    Held one = held.get(lease);
    if (one != null) {
      one.endsAt = time.nanos() + one.ttlNanos;
    }
    return one != null;
  }

  /** Renews it on any thread, unless only the writer can tell whether it still exists. */
  synchronized boolean renewAtOnce(long lease, Time time) {
    Held one = held.get(lease);
    return !closed && one != null && !one.ending && renew(lease, time);
  }

  /** The ends of these are about to be written. */
  synchronized void ending(List<Long> leases) {
    for (Long lease : leases) {
      Held one = held.get(lease);
      if (one != null) {
        one.ending = true;
      }
    }
  }

  /** The leases are about to be read again from the disk, and will be others. */
  synchronized void close() {
    closed = true;
  }

  synchronized boolean isOver(long lease, long now) {
    Held one = held.get(lease);
    return one != null && now - one.endsAt >= 0;
  }

  /** The key now belongs to this lease, or to none. */
  void assign(Key key, long lease) {
    if (lease == Lease.NONE && leaseOf.isEmpty()) {
      return;
    }
    Long before = lease == Lease.NONE ? leaseOf.remove(key) : leaseOf.put(key, lease);
    if (before != null) {
      Held one = held.get(before);
      if (one != null) {
        one.keys.remove(key);
      }
    }
    if (lease != Lease.NONE) {
      Held one = held.get(lease);
      if (one == null) {
        throw new IllegalStateException(
            "Key " + key + " belongs to lease " + lease + ", which does not exist.");
      }
      one.keys.add(key);
    }
  }

  /** Its keys must have been assigned elsewhere before. */
  synchronized void remove(long lease) {
    held.remove(lease);
  }

  boolean isEmpty() {
    return held.isEmpty();
  }

  void look(long now) {
    lookedAt = now;
  }

  /**
   * The leases that have ended, which can be renewed on the writer's thread only from now on. Who looks too seldom, because the process was
   * stopped or the disk stood still, knows nothing about who is alive: such leases begin again.
   */
  synchronized List<Long> ended(Time time) {
    long now = time.nanos();
    long gap = now - lookedAt;
    lookedAt = now;
    var ended = new ArrayList<Long>();
    for (Map.Entry<Long, Held> each : held.entrySet()) {
      Held one = each.getValue();
      if (gap > one.ttlNanos / 2) {
        one.endsAt = now + one.ttlNanos;
      } else if (now - one.endsAt >= 0) {
        one.ending = true;
        ended.add(each.getKey());
      }
    }
    return ended;
  }
}
