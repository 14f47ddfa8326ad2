package io.belfry.store;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store's specification: what {@link Store} promises, in the plainest code that keeps it. Loses everything when it is
 * closed; for tests, simulation and reading.
 *
 * <p>Threading: one lock. Watchers are called on the executor that was given, which must run tasks one after another.
 */
public final class MemoryStore implements Store {
  private static final int FEED_STEPS_MAX = 10_000;

  private record Slot(byte[] value, long revision, long lease) {}

  private static final class Held {
    final Duration ttl;
    long endsAtNanos;
    final TreeSet<Key> keys = new TreeSet<>();

    Held(Duration ttl) {
      this.ttl = ttl;
    }
  }

  private final Time time;
  private final MemoryFeed feed;
  private final TreeMap<Key, Slot> slots = new TreeMap<>();
  private final TreeMap<Long, Held> leases = new TreeMap<>();
  private long epoch = 1;
  private long counter;
  private long leasesGranted;
  private boolean closed;

  public MemoryStore(Time time, Executor deliver) {
    this.time = time;
    this.feed = new MemoryFeed(deliver, FEED_STEPS_MAX);
  }

  @Override
  public synchronized CompletionStage<Outcome> commit(Commit commit) {
    return answer(() -> {
      for (Guard guard : commit.guards()) {
        long found = revisionOf(guard.key());
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
      return new Outcome.Done(apply(commit.writes()));
    });
  }

  private boolean holds(Guard guard, long found) {
    return switch (guard) {
      case Guard.Absent absent -> found == Revision.NONE;
      case Guard.Unchanged unchanged -> found == unchanged.revision();
      case Guard.Holds holds -> found == holds.revision() && Revision.epoch(found) == epoch;
    };
  }

  private long revisionOf(Key key) {
    Slot slot = slots.get(key);
    return slot == null ? Revision.NONE : slot.revision;
  }

  private long apply(List<? extends Write> writes) {
    long revision = Revision.of(epoch, ++counter);
    var changes = new ArrayList<Change>();
    for (Write write : writes) {
      Slot before = write instanceof Write.Put put
          ? slots.put(put.key(), new Slot(put.value(), revision, put.lease()))
          : slots.remove(write.key());
      if (before != null && before.lease != Lease.NONE) {
        held(before.lease).keys.remove(write.key());
      }
      if (write instanceof Write.Put put) {
        if (put.lease() != Lease.NONE) {
          held(put.lease()).keys.add(put.key());
        }
        changes.add(new Change.Put(new Entry(put.key(), put.value(), revision)));
      } else if (before != null) {
        changes.add(new Change.Deleted(write.key()));
      }
    }
    feed.append(revision, changes);
    return revision;
  }

  private Held held(long lease) {
    Held held = leases.get(lease);
    if (held == null) {
      throw new IllegalStateException(
          "A key belongs to lease " + lease + ", which has ended: keys end with their lease.");
    }
    return held;
  }

  @Override
  public synchronized CompletionStage<List<Entry>> get(Collection<Key> keys) {
    Limits.checkedKeys(keys);
    return answer(() -> {
      var found = new ArrayList<Entry>();
      for (Key key : keys) {
        Slot slot = slots.get(key);
        if (slot != null) {
          found.add(new Entry(key, slot.value, slot.revision));
        }
      }
      return found;
    });
  }

  @Override
  public synchronized CompletionStage<Page> scan(Scan scan) {
    return answer(() -> {
      var entries = new ArrayList<Entry>();
      long bytes = 0;
      if (!scan.isEmpty()) {
        for (Map.Entry<Key, Slot> each : slots.tailMap(start(scan), true).entrySet()) {
          if (!within(scan, each.getKey())) {
            break;
          }
          if (entries.size() == scan.limit() || bytes >= Limits.PAGE_BYTES_MAX) {
            return page(entries, Optional.of(scan.after(entries.getLast().key())));
          }
          bytes += each.getValue().value.length;
          entries.add(new Entry(each.getKey(), each.getValue().value, each.getValue().revision));
        }
      }
      return page(entries, Optional.empty());
    });
  }

  private static Key start(Scan scan) {
    return Key.of(scan.space(), scan.from().length == 0 ? new byte[1] : scan.from());
  }

  private static boolean within(Scan scan, Key key) {
    byte[] to = scan.to();
    return key.space().equals(scan.space())
        && (to == null || key.compareTo(Key.of(scan.space(), to)) < 0);
  }

  private Page page(List<Entry> entries, Optional<Scan> next) {
    return new Page(entries, Revision.of(epoch, counter), next);
  }

  @Override
  public synchronized CompletionStage<Lease> grant(Duration ttl) {
    var held = new Held(Lease.checked(ttl));
    return answer(() -> {
      held.endsAtNanos = time.nanos() + ttl.toNanos();
      leases.put(++leasesGranted, held);
      return new Lease(leasesGranted, ttl);
    });
  }

  @Override
  public synchronized CompletionStage<Boolean> renew(long lease) {
    return answer(() -> {
      Held held = leases.get(lease);
      if (held != null) {
        held.endsAtNanos = time.nanos() + held.ttl.toNanos();
      }
      return held != null;
    });
  }

  @Override
  public synchronized CompletionStage<Void> revoke(long lease) {
    return this.<@Nullable Void>answer(() -> {
      end(lease);
      return null;
    });
  }

  /** Ends what is due to end. Every call does it; a timer must, too, where watchers wait for it. */
  public synchronized void tick() {
    if (closed) {
      return;
    }
    long now = time.nanos();
    List<Long> over = new ArrayList<>();
    leases.forEach((id, held) -> {
      if (now - held.endsAtNanos >= 0) {
        over.add(id);
      }
    });
    over.forEach(this::end);
  }

  private void end(long lease) {
    Held held = leases.get(lease);
    if (held == null) {
      return;
    }
    List<Write> deletes = held.keys.stream().<Write>map(Write.Delete::new).toList();
    if (!deletes.isEmpty()) {
      apply(deletes);
    }
    leases.remove(lease);
  }

  /** As after a failover of an engine: leases start over, fences of the old epoch no longer hold, watches must rescan. */
  public synchronized void beginEpoch() {
    epoch++;
    leases.values().forEach(held -> held.endsAtNanos = time.nanos() + held.ttl.toNanos());
    feed.compact(Revision.of(epoch, counter));
  }

  /** Forgets all changes so far: a watch that is to resume before this moment hears that it cannot. */
  public synchronized void forgetFeed() {
    feed.forget();
  }

  @Override
  public synchronized Watch watch(Feed what, long after, Watcher watcher) {
    if (closed) {
      throw new StoreException.Closed();
    }
    tick();
    return feed.open(what, after == Watch.NOW ? Revision.of(epoch, counter) : after, watcher, this);
  }

  @Override
  public synchronized CompletionStage<Status> status() {
    return answer(() ->
        new Status("memory", "1", "nothing survives the process", 0, Revision.of(epoch, counter)));
  }

  @Override
  public Set<Endpoint> endpoints() {
    return Set.of();
  }

  @Override
  public synchronized void close() {
    closed = true;
    feed.close();
  }

  private <T extends @Nullable Object> CompletionStage<T> answer(Supplier<T> question) {
    if (closed) {
      return CompletableFuture.failedStage(new StoreException.Closed());
    }
    tick();
    return CompletableFuture.completedStage(question.get());
  }
}
