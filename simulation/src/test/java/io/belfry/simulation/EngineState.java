package io.belfry.simulation;

import io.belfry.simulation.EngineStep.Slot;
import io.belfry.simulation.EngineStep.Undo;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Limits;
import io.belfry.store.Outcome;
import io.belfry.store.Page;
import io.belfry.store.Revision;
import io.belfry.store.Scan;
import io.belfry.store.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the engine has: keys, leases, the last revision. Knows neither time nor clients; every change is an {@link EngineStep} and can
 * be taken back.
 *
 * <p>Threading: confined to its engine.
 */
final class EngineState {
  private final TreeMap<Key, Slot> slots = new TreeMap<>();
  private final TreeMap<Long, Held> leases = new TreeMap<>();
  private long epoch = 1;
  private long counter;
  private long serial;
  private long leasesGranted;

  /** What stands now, for reading. */
  EngineState copy() {
    var copy = new EngineState();
    copy.slots.putAll(slots);
    copy.epoch = epoch;
    copy.counter = counter;
    return copy;
  }

  long revision() {
    return Revision.of(epoch, counter);
  }

  Map<Key, Slot> slots() {
    return slots;
  }

  Collection<Held> leases() {
    return leases.values();
  }

  @Nullable
  Held lease(long id) {
    return leases.get(id);
  }

  /** Why the commit cannot be applied now; null when it can. */
  @Nullable
  Outcome refusal(Commit commit) {
    for (Guard guard : commit.guards()) {
      Slot slot = slots.get(guard.key());
      long found = slot == null ? Revision.NONE : slot.revision();
      if (!holds(guard, found)) {
        return new Outcome.Refused(guard, found);
      }
    }
    for (Write write : commit.writes()) {
      if (write instanceof Write.Put put
          && put.lease() != Lease.NONE
          && !leases.containsKey(put.lease())) {
        return new Outcome.LeaseEnded(put.lease());
      }
    }
    return null;
  }

  private boolean holds(Guard guard, long found) {
    return switch (guard) {
      case Guard.Absent unused -> found == Revision.NONE;
      case Guard.Unchanged unchanged -> found == unchanged.revision();
      case Guard.Holds holds -> found == holds.revision() && Revision.epoch(found) == epoch;
    };
  }

  EngineStep apply(String by, List<Commit> commits) {
    var writes = new ArrayList<Write>();
    commits.forEach(commit -> writes.addAll(commit.writes()));
    return write(by, commits, writes, null, null);
  }

  EngineStep grant(String by, long ttlNanos) {
    var held = new Held(++leasesGranted, ttlNanos);
    leases.put(held.id, held);
    return write(by, List.of(), List.of(), held, null);
  }

  EngineStep end(String by, Held held) {
    List<Write> deletes = held.keys.stream().<Write>map(Write.Delete::new).toList();
    EngineStep step = write(by, List.of(), deletes, null, held);
    leases.remove(held.id);
    return step;
  }

  private EngineStep write(
      String by,
      List<Commit> commits,
      List<Write> writes,
      @Nullable Held granted,
      @Nullable Held ended) {
    // A step that writes nothing takes no revision, as in the specification.
    counter += writes.isEmpty() ? 0 : 1;
    long revision = revision();
    var changes = new ArrayList<Change>(writes.size());
    var undo = new ArrayList<Undo>(writes.size());
    for (Write write : writes) {
      Slot after =
          write instanceof Write.Put put ? new Slot(put.value(), revision, put.lease()) : null;
      Slot before = set(write.key(), after);
      undo.add(new Undo(write.key(), before));
      if (after != null) {
        changes.add(new Change.Put(new Entry(write.key(), after.value(), revision)));
      } else if (before != null) {
        changes.add(new Change.Deleted(write.key()));
      }
    }
    return new EngineStep(++serial, revision, by, commits, changes, undo, granted, ended);
  }

  private @Nullable Slot set(Key key, @Nullable Slot after) {
    Slot before = after == null ? slots.remove(key) : slots.put(key, after);
    Held left = before == null ? null : leases.get(before.lease());
    if (left != null) {
      left.keys.remove(key);
    }
    Held entered = after == null ? null : leases.get(after.lease());
    if (entered != null) {
      entered.keys.add(key);
    }
    return before;
  }

  /** Takes the newest step back. */
  void undo(EngineStep step) {
    if (step.ended() != null) {
      leases.put(step.ended().id, step.ended());
    }
    for (int i = step.undo().size() - 1; i >= 0; i--) {
      set(step.undo().get(i).key(), step.undo().get(i).before());
    }
    if (step.granted() != null) {
      leases.remove(step.granted().id);
    }
    counter -= step.undo().isEmpty() ? 0 : 1;
  }

  void beginEpoch() {
    epoch++;
  }

  /** The same where the engine itself knows no epoch: what is there is seen with its old counter under the new one. */
  void beginEpochForAll() {
    epoch++;
    slots.replaceAll((key, slot) -> new Slot(
        slot.value(), Revision.of(epoch, Revision.counter(slot.revision())), slot.lease()));
  }

  List<Entry> get(Collection<Key> keys) {
    var found = new ArrayList<Entry>();
    for (Key key : keys) {
      Slot slot = slots.get(key);
      if (slot != null) {
        found.add(new Entry(key, slot.value(), slot.revision()));
      }
    }
    return found;
  }

  Page scan(Scan scan) {
    var entries = new ArrayList<Entry>();
    long bytes = 0;
    if (!scan.isEmpty()) {
      Key start = Key.of(scan.space(), scan.from().length == 0 ? new byte[1] : scan.from());
      for (Map.Entry<Key, Slot> each : slots.tailMap(start, true).entrySet()) {
        if (!within(scan, each.getKey())) {
          break;
        }
        if (entries.size() == scan.limit() || bytes >= Limits.PAGE_BYTES_MAX) {
          return new Page(
              entries, revision(), Optional.of(scan.after(entries.getLast().key())));
        }
        bytes += each.getValue().value().length;
        entries.add(
            new Entry(each.getKey(), each.getValue().value(), each.getValue().revision()));
      }
    }
    return new Page(entries, revision(), Optional.empty());
  }

  private static boolean within(Scan scan, Key key) {
    byte[] to = scan.to();
    return key.space().name().equals(scan.space().name())
        && (to == null || key.compareTo(Key.of(scan.space(), to)) < 0);
  }
}
