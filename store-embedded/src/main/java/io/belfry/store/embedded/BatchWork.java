package io.belfry.store.embedded;

import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Revision;
import io.belfry.store.Space;
import io.belfry.store.Write;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One batch on its way to the disk: judged against the live keys and, before them, against what earlier commits of the same
 * batch do. Nothing of it is in the state until the batch is on the disk; if that fails, it is thrown away.
 *
 * <p>Threading: confined to the writer.
 */
final class BatchWork {

  /** What the batch makes of one key. */
  record Slot(Key key, byte[] name, long hash, long revision, long lease) {
    boolean exists() {
      return revision != Revision.NONE;
    }
  }

  private static final int JUDGED_LOOKED_AT = 8;

  private final State state;
  private final BatchImage batch;
  private final Map<Key, Slot> slots;
  private final Map<Long, Long> granted = new LinkedHashMap<>();
  private final Set<Long> ended = new HashSet<>();
  private final List<Step> steps = new ArrayList<>();
  /** What the guards of the commit in hand found: mostly the keys that it writes. */
  private final List<Slot> judged = new ArrayList<>();
  /** Writes mostly come in the order of their guards: where the next one is looked for first. */
  private int likely;

  private long revision;
  private long leasesGranted;
  private long sum;
  private boolean changed;
  private boolean puts;

  BatchWork(State state, int expectedWrites, int expectedBytes) {
    this.state = state;
    this.batch = new BatchImage(expectedBytes);
    this.slots = HashMap.newHashMap(expectedWrites);
    this.revision = state.head().revision();
    this.leasesGranted = state.head().leasesGranted();
    this.sum = state.head().sum();
  }

  Outcome commit(Commit commit) {
    judged.clear();
    likely = 0;
    for (Guard guard : commit.guards()) {
      Slot slot = find(guard.key());
      judged.add(slot);
      long found = slot.revision;
      if (!holds(guard, found)) {
        return new Outcome.Refused(guard, found);
      }
    }
    for (Write write : commit.writes()) {
      if (write instanceof Write.Put put && put.lease() != Lease.NONE && !leased(put.lease())) {
        return new Outcome.LeaseEnded(put.lease());
      }
    }
    write(commit.writes());
    return new Outcome.Done(revision);
  }

  /** Answers the id of the new lease. */
  long grant(long ttlNanos) {
    long id = ++leasesGranted;
    granted.put(id, ttlNanos);
    batch.put(
        Layout.lease(id), ByteBuffer.allocate(Long.BYTES).putLong(ttlNanos).array());
    changed = true;
    return id;
  }

  /** Deletes all keys of the lease in one step, and the lease. A step even without keys: every work has a head of its own. */
  void end(long lease) {
    List<Write> deletes =
        state.leases.keysOf(lease).stream().<Write>map(Write.Delete::new).toList();
    judged.clear();
    write(deletes);
    ended.add(lease);
    batch.delete(Layout.lease(lease));
  }

  private boolean holds(Guard guard, long found) {
    return switch (guard) {
      case Guard.Absent absent -> found == Revision.NONE;
      case Guard.Unchanged unchanged -> found == unchanged.revision();
      case Guard.Holds holds ->
        found == holds.revision() && Revision.epoch(found) == Revision.epoch(revision);
    };
  }

  private boolean leased(long lease) {
    return state.leases.contains(lease) && !ended.contains(lease);
  }

  private void write(List<Write> writes) {
    revision = Revision.of(Revision.epoch(revision), Revision.counter(revision) + 1);
    changed = true;
    @Nullable List<Change> changes = null;
    for (Write write : writes) {
      Slot before = judgedOrFind(write.key());
      boolean effective = write instanceof Write.Put || before.exists();
      if (effective) {
        apply(write, before);
        if (write.key().space().watched() != Space.Watched.NO) {
          changes = changes == null ? new ArrayList<>(writes.size()) : changes;
          changes.add(change(write));
        }
      }
    }
    if (changes != null) {
      steps.add(Step.of(revision, changes));
    }
  }

  private void apply(Write write, Slot before) {
    if (before.exists()) {
      sum -= state.hash.weight(before.hash, before.revision);
    }
    if (write instanceof Write.Put put) {
      puts = true;
      int tag = Layout.tag(put.key().space(), put.lease());
      batch.putEntry(before.name, tag, revision, put.lease(), put.value());
      sum += state.hash.weight(before.hash, revision);
      slots.put(put.key(), new Slot(put.key(), before.name, before.hash, revision, put.lease()));
    } else {
      batch.delete(before.name);
      slots.put(
          write.key(), new Slot(write.key(), before.name, before.hash, Revision.NONE, Lease.NONE));
    }
  }

  private Change change(Write write) {
    return write instanceof Write.Put put
        ? new Change.Put(new Entry(put.key(), put.value(), revision))
        : new Change.Deleted(write.key());
  }

  /** A key is written once in a commit, so what its guard found still stands. */
  private Slot judgedOrFind(Key key) {
    int size = judged.size();
    for (int i = 0; i < Math.min(size, JUDGED_LOOKED_AT); i++) {
      int place = (likely + i) % size;
      Slot slot = judged.get(place);
      if (slot.key.equals(key)) {
        likely = place + 1;
        return slot;
      }
    }
    return find(key);
  }

  private Slot find(Key key) {
    Slot slot = slots.get(key);
    if (slot == null) {
      byte[] name = Layout.key(key);
      long hash = state.hash.of(name);
      slot = new Slot(key, name, hash, state.live.revision(name, hash), Lease.NONE);
    }
    return slot;
  }

  /** Whether there is anything to write: a batch whose commits are all refused has nothing. */
  boolean changed() {
    return changed;
  }

  /** Whether it may make the data set larger. */
  boolean puts() {
    return puts;
  }

  long bytes() {
    return batch.bytes();
  }

  DataSetHead head() {
    return new DataSetHead(revision, leasesGranted, sum);
  }

  /** The whole batch with the head that it leads to. */
  byte[] image() {
    batch.put(Layout.HEAD, head().toBytes());
    return batch.toBytes();
  }

  Collection<Slot> slots() {
    return slots.values();
  }

  Map<Long, Long> granted() {
    return granted;
  }

  Set<Long> ended() {
    return ended;
  }

  List<Step> steps() {
    return steps;
  }
}
