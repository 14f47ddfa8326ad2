package io.belfry.core.retain;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.DamagedRecordException;
import io.belfry.core.record.Records;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Forgets what is due, a page and a commit at a time.
 *
 * <p>Packs, dedup records and versions of deleted jobs are found by the hour in their expiry keys. Rollups, skips and late reports are
 * swept: each look takes one page further, round and round. Every deletion is guarded by the revision of the key that said it was due, so
 * that a late copy of the commit cannot hit what somebody has written there since.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class Trimming {
  static final int PACKS_AT_ONCE = 27;
  /** Each takes two writes; a page is gone before the next is read. */
  static final int KEYS_AT_ONCE = 50;

  private static final int KEYS_ON_A_PAGE = 500;
  static final int SWEPT_AT_ONCE = 1000;
  private static final int DELETED_AT_ONCE = 100;

  private final Loop loop;
  private final Store store;
  private final TermWrites writes;
  private final BooleanSupplier leads;
  private final List<Chore> chores;

  Trimming(
      Loop loop, Store store, TermWrites writes, RetainSettings settings, BooleanSupplier leads) {
    this.loop = loop;
    this.store = store;
    this.writes = writes;
    this.leads = leads;
    this.chores = List.of(
        new Expired(Keys.PACK_EXPIRY, PACKS_AT_ONCE, PACKS_AT_ONCE, new PackDrop(loop, store)::add),
        new Expired(
            Keys.DEDUP_EXPIRY, KEYS_AT_ONCE, KEYS_ON_A_PAGE, (due, commit, then, failed) -> {
              due.forEach(entry -> commit.delete(Keys.dedup(Keys.expiring(entry.key()))));
              then.accept(commit);
            }),
        new Expired(
            Keys.VERSION_EXPIRY,
            VersionDrop.JOBS_AT_ONCE,
            VersionDrop.JOBS_AT_ONCE,
            new VersionDrop(loop, store)::add),
        new Swept(Keys.ROLLUPS, entry -> isRollupBefore(entry, settings.rollups())),
        new Swept(
            Keys.SKIPS,
            entry ->
                isBefore(entry, each -> Records.skippedRange(each.value()).to(), settings.tasks())),
        new Swept(
            Keys.LATE_REPORTS,
            entry ->
                isBefore(entry, each -> Records.lateReport(each.value()).at(), settings.tasks())));
  }

  void look() {
    chores.forEach(Chore::look);
  }

  private boolean isRollupBefore(Entry entry, Duration keep) {
    Instant end = Instant.EPOCH.plus(Duration.ofHours(Keys.rollupHour(entry.key()) + 1));
    return !end.plus(keep).isAfter(loop.time().wall());
  }

  private boolean isBefore(Entry entry, Function<Entry, Instant> says, Duration keep) {
    try {
      return !says.apply(entry).plus(keep).isAfter(loop.time().wall());
    } catch (DamagedRecordException e) {
      return false; // kept for somebody to look at
    }
  }

  /** One kind of thing to forget; at most one page or commit of it is under way. */
  private abstract class Chore {
    private boolean busy;

    void look() {
      if (!busy && leads.getAsBoolean()) {
        busy = true;
        loop.hear(store.scan(scan()), this::took, failure -> failed());
      }
    }

    void failed() {
      busy = false;
    }

    abstract Scan scan();

    abstract void took(Page page);

    void send(Commit.Builder commit, Runnable then) {
      writes.send(commit, done -> then.run(), refused -> busy = false);
    }

    /** While there is more to forget, at once: as much is written as is forgotten later. */
    void rest(boolean more) {
      busy = false;
      if (more) {
        look();
      }
    }
  }

  /** What has an expiry key. */
  private final class Expired extends Chore {
    private interface Deletes {
      void addTo(
          List<Entry> due, Commit.Builder commit, Consumer<Commit.Builder> then, Runnable failed);
    }

    private final Space expiry;
    private final int atOnce;
    private final int onPage;
    private final Deletes deletes;

    /**
     * @param atOnce that fit into a commit
     * @param onPage that are read at once
     */
    Expired(Space expiry, int atOnce, int onPage, Deletes deletes) {
      this.expiry = expiry;
      this.atOnce = atOnce;
      this.onPage = onPage;
      this.deletes = deletes;
    }

    @Override
    Scan scan() {
      return Keys.expired(expiry, loop.time().wall().toEpochMilli()).limit(onPage);
    }

    @Override
    void took(Page page) {
      forget(page.entries(), page.next().isPresent());
    }

    private void forget(List<Entry> due, boolean more) {
      if (due.isEmpty() || !leads.getAsBoolean()) {
        rest(more && leads.getAsBoolean());
        return;
      }
      List<Entry> lot = due.subList(0, Math.min(atOnce, due.size()));
      Commit.Builder commit = writes.commit();
      lot.forEach(entry -> commit.unchanged(entry).delete(entry.key()));
      deletes.addTo(
          lot,
          commit,
          whole -> send(whole, () -> forget(due.subList(lot.size(), due.size()), more)),
          this::failed);
    }
  }

  /** What tells its age itself. */
  private final class Swept extends Chore {
    private final Space space;
    private final Predicate<Entry> due;
    private Optional<Scan> next = Optional.empty();

    Swept(Space space, Predicate<Entry> due) {
      this.space = space;
      this.due = due;
    }

    @Override
    Scan scan() {
      return next.orElse(Scan.all(space)).limit(SWEPT_AT_ONCE);
    }

    @Override
    void took(Page page) {
      List<Entry> old =
          page.entries().stream().filter(due).limit(DELETED_AT_ONCE).toList();
      boolean cut = old.size() == DELETED_AT_ONCE;
      next = cut ? Optional.of(Scan.all(space).after(old.getLast().key())) : page.next();
      if (old.isEmpty()) {
        rest(false);
        return;
      }
      Commit.Builder commit = writes.commit();
      Consumer<Entry> forget = entry -> commit.unchanged(entry).delete(entry.key());
      old.forEach(forget);
      send(commit, () -> rest(cut));
    }
  }
}
