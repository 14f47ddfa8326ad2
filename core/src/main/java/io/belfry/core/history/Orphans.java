package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Deletes the messages of processes that are gone: from nodes to the leader, between the leader and workers, and operators' orders
 * for workers.
 *
 * <pre>
 *   check ──▶ a page of messages ──▶ unchanged for an hour, and the owner gone? ── still so after a while ──▶ delete
 *                └─ space after space, round after round
 * </pre>
 *
 * <p>Operators' orders are rewritten while their worker is registered: a worker that was cut off for a while still finds its order.
 *
 * <p>The revision of a message and the stored {@link RevisionTimes} tell that it has not changed for an hour: so it does
 * not matter how long one leader lasts. Only the absence of its owner is observed by the leader itself for a while, because
 * a lease may be lost for a moment. Every deletion is guarded by the message's revision and by the absence of its owner. An owner that
 * comes back all the same finds its chain broken, and starts a new one.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class Orphans {
  static final Duration UNCHANGED_FOR = Duration.ofHours(1);
  static final Duration ABSENT_FOR = Duration.ofMinutes(2);
  /** How often a message for an owner is rewritten while the owner is registered. */
  static final Duration REWRITTEN_EVERY = Duration.ofMinutes(30);

  /** Each takes at most two guards. */
  static final int KEYS_AT_ONCE = 50;

  private static final int REMEMBERED_MAX = 10_000;

  /**
   * Messages of one kind.
   *
   * @param kept for an owner that was cut off, until it has been gone for {@link #UNCHANGED_FOR}: such messages are rewritten while
   *     their owner is registered, so that their revision tells since when it is gone
   */
  private record Kind(Space space, Function<Key, Key> owner, boolean kept) {
    Kind(Space space, Function<Key, Key> owner) {
      this(space, owner, false);
    }
  }

  /** A message without an owner, and since when, in monotonic time. */
  private record Found(long revision, long since) {}

  private static final List<Kind> KINDS = List.of(
      new Kind(Keys.NEWS, key -> Keys.node(Keys.teller(key))),
      new Kind(Keys.INBOXES, key -> Keys.worker(key.text())),
      new Kind(Keys.REPORTS, key -> Keys.worker(Keys.teller(key))),
      new Kind(Keys.WORKER_ORDERS, key -> Keys.worker(key.text()), true));

  private final Loop loop;
  private final Store store;
  private final TermWrites writes;
  private final BooleanSupplier leads;
  private final Map<Key, Found> found = new HashMap<>();
  private int kind;
  private Optional<Scan> next = Optional.empty();
  private Optional<RevisionTimes> times = Optional.empty();
  private boolean busy;

  Orphans(Loop loop, Store store, TermWrites writes, BooleanSupplier leads) {
    this.loop = loop;
    this.store = store;
    this.writes = writes;
    this.leads = leads;
  }

  void look() {
    if (busy || !leads.getAsBoolean()) {
      return;
    }
    busy = true;
    if (times.isEmpty()) {
      loop.onResult(
          store.get(List.of(Keys.REVISION_TIMES)),
          found -> {
            times = Optional.of(
                found.isEmpty()
                    ? RevisionTimes.NONE
                    : RevisionTimes.decode(found.getFirst().value()));
            busy = false;
          },
          failure -> busy = false);
    } else {
      Scan scan = next.orElseGet(() -> Scan.all(KINDS.get(kind).space)).limit(KEYS_AT_ONCE);
      loop.onResult(store.scan(scan), this::took, failure -> busy = false);
    }
  }

  private void took(Page page) {
    RevisionTimes known = times.orElseThrow();
    if (known.isDue(loop.time().wall())) {
      mark(known.with(page.revision(), loop.time().wall()), () -> examine(page));
    } else {
      examine(page);
    }
  }

  private void examine(Page page) {
    Kind read = KINDS.get(kind);
    Map<Entry, Key> owners = new LinkedHashMap<>();
    page.entries().forEach(entry -> owners.put(entry, read.owner.apply(entry.key())));
    next = page.next();
    if (next.isEmpty()) {
      kind = (kind + 1) % KINDS.size();
    }
    if (owners.isEmpty()) {
      busy = false;
      return;
    }
    loop.onResult(
        store.get(new HashSet<>(owners.values())),
        there -> {
          Set<Key> present = new HashSet<>();
          there.forEach(owner -> present.add(owner.key()));
          judge(owners, present, read.kept);
        },
        failure -> busy = false);
  }

  private void mark(RevisionTimes more, Runnable then) {
    writes.send(
        writes.commit().put(Keys.REVISION_TIMES, more.encode()),
        done -> {
          times = Optional.of(more);
          then.run();
        },
        refused -> busy = false,
        notTaken -> then.run()); // deletions must not wait for free space
  }

  private void judge(Map<Entry, Key> owners, Set<Key> present, boolean kept) {
    long now = loop.time().nanos();
    long old = times.orElseThrow().reached(UNCHANGED_FOR, loop.time().wall());
    long fresh = times.orElseThrow().reached(REWRITTEN_EVERY, loop.time().wall());
    List<Entry> due = new ArrayList<>();
    List<Entry> ageing = new ArrayList<>();
    owners.forEach((entry, owner) -> {
      Found before = found.get(entry.key());
      if (present.contains(owner) || entry.revision() > old) {
        found.remove(entry.key());
        if (kept && present.contains(owner) && entry.revision() <= fresh) {
          ageing.add(entry);
        }
      } else if (before != null && before.revision == entry.revision()) {
        if (now - before.since >= ABSENT_FOR.toNanos()) {
          due.add(entry);
        }
      } else if (before != null || found.size() < REMEMBERED_MAX) {
        found.put(entry.key(), new Found(entry.revision(), now));
      }
    });
    if (!leads.getAsBoolean()) {
      busy = false;
      return;
    }
    delete(due, owners, () -> rewrite(ageing));
  }

  private void rewrite(List<Entry> ageing) {
    if (ageing.isEmpty()) {
      busy = false;
      return;
    }
    Commit.Builder commit = writes.commit();
    ageing.forEach(entry -> commit.unchanged(entry).put(entry.key(), entry.value()));
    writes.send(commit, done -> busy = false, refused -> busy = false, notTaken -> busy = false);
  }

  /** Deletes in a commit of its own, which a full engine accepts, too. */
  private void delete(List<Entry> due, Map<Entry, Key> owners, Runnable then) {
    if (due.isEmpty()) {
      then.run();
      return;
    }
    Commit.Builder commit = writes.commit();
    Set<Key> guarded = new HashSet<>();
    for (Entry entry : due) {
      Key owner = Objects.requireNonNull(owners.get(entry));
      if (guarded.add(owner)) {
        commit.absent(owner);
      }
      commit.unchanged(entry).delete(entry.key());
    }
    writes.send(
        commit,
        done -> {
          due.forEach(entry -> found.remove(entry.key()));
          then.run();
        },
        refused -> busy = false);
  }
}
