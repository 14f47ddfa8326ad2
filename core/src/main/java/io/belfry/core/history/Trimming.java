package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Records;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Deletes what has expired, one page and one commit at a time.
 *
 * <p>Segments, dedup records and versions of deleted jobs are found by the hour in their expiry keys. Skips and late reports are
 * swept: each check reads the next page, in rounds, and each round counts what it leaves. Every deletion is guarded by the revision of
 * the key that showed the expiry, so that a late copy of the commit cannot delete anything written since.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class Trimming {
  static final int SEGMENTS_AT_ONCE = 27;
  /** Each takes two writes; a page is deleted before the next is read. */
  static final int KEYS_AT_ONCE = 50;

  private static final int KEYS_ON_A_PAGE = 500;
  static final int SWEPT_AT_ONCE = 1000;
  private static final int DELETED_AT_ONCE = 100;

  private final Loop loop;
  private final Store store;
  private final TermWrites writes;
  private final SkippedRecords passedOver;
  private final BooleanSupplier leads;
  private final List<Chore> chores;

  Trimming(
      Loop loop,
      Store store,
      TermWrites writes,
      RetainSettings settings,
      SkippedRecords passedOver,
      RetainCounts counts,
      BooleanSupplier leads) {
    this.loop = loop;
    this.store = store;
    this.writes = writes;
    this.passedOver = passedOver;
    this.leads = leads;
    var segments = new SegmentDrop(loop.time());
    // Commits with a record wait for free space in the engine; all others must not wait for that.
    this.chores = List.of(
        new Expired(
            Keys.SEGMENT_EXPIRY, SEGMENTS_AT_ONCE, entry -> !segments.needsNote(entry), segments),
        new Expired(Keys.SEGMENT_EXPIRY, SEGMENTS_AT_ONCE, segments::needsNote, segments),
        new Expired(Keys.DEDUP_EXPIRY, KEYS_AT_ONCE, entry -> true, new DedupDrop()),
        new Expired(
            Keys.VERSION_EXPIRY, VersionDrop.JOBS_AT_ONCE, entry -> true, new VersionDrop()),
        new Swept(
            Keys.SKIPS,
            entry -> isBefore(Records.skippedRange(entry.value()).to(), settings.tasks()),
            counts.skipRecords),
        new Swept(
            Keys.LATE_REPORTS,
            entry -> isBefore(Records.lateReport(entry.value()).at(), settings.tasks()),
            counts.lateReports));
  }

  void look() {
    chores.forEach(Chore::look);
  }

  private boolean isBefore(Instant at, Duration keep) {
    return !at.plus(keep).isAfter(loop.time().wall());
  }

  /** One kind of data to delete; at most one page or commit of it is in flight. */
  private abstract class Chore {
    private boolean busy;

    void look() {
      if (!busy && leads.getAsBoolean()) {
        busy = true;
        loop.onResult(store.scan(scan()), this::took, failure -> failed());
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

    /** Ends the check; if there is more to delete, continues at once, to keep up with the writes. */
    void rest(boolean more) {
      busy = false;
      if (more) {
        look();
      }
    }
  }

  /** Data with an expiry key. A record that cannot be deleted stays, and does not stop those after it. */
  private final class Expired extends Chore {
    private final Space expiry;
    private final int atOnce;
    private final Predicate<Entry> mine;
    private final Drop drop;
    private Optional<Scan> next = Optional.empty();

    /**
     * @param atOnce how many fit into a commit
     * @param mine which entries of the space it handles
     */
    Expired(Space expiry, int atOnce, Predicate<Entry> mine, Drop drop) {
      this.expiry = expiry;
      this.atOnce = atOnce;
      this.mine = mine;
      this.drop = drop;
    }

    @Override
    Scan scan() {
      return next.orElseGet(
          () -> Keys.expired(expiry, loop.time().wall().toEpochMilli()).limit(KEYS_ON_A_PAGE));
    }

    @Override
    void took(Page page) {
      next = page.next();
      List<Entry> due = page.entries().stream()
          .filter(entry -> passedOver.read(entry, mine::test).orElse(false))
          .toList();
      Deque<List<Entry>> batches = new ArrayDeque<>();
      for (int from = 0; from < due.size(); from += atOnce) {
        batches.add(due.subList(from, Math.min(from + atOnce, due.size())));
      }
      forget(batches);
    }

    private void forget(Deque<List<Entry>> batches) {
      List<Entry> batch = batches.poll();
      if (batch == null || !leads.getAsBoolean()) {
        rest(next.isPresent() && leads.getAsBoolean());
        return;
      }
      tried(batch, batches, () -> {
        Set<Key> questions = drop.questions(batch);
        if (questions.isEmpty()) {
          delete(batch, batches, Map.of());
        } else {
          loop.onResult(
              store.get(questions),
              found -> {
                Map<Key, Entry> answers = new HashMap<>();
                found.forEach(entry -> answers.put(entry.key(), entry));
                tried(batch, batches, () -> delete(batch, batches, answers));
              },
              failure -> failed());
        }
      });
    }

    /** If one entry throws an exception, the batch is retried one by one. */
    private void tried(List<Entry> batch, Deque<List<Entry>> batches, Runnable step) {
      try {
        step.run();
      } catch (RuntimeException e) { // whatever a damaged record leads to
        if (batch.size() == 1) {
          passedOver.add(batch.getFirst().key(), e);
        } else {
          batch.reversed().forEach(entry -> batches.addFirst(List.of(entry)));
        }
        loop.post(() -> forget(batches));
      }
    }

    private void delete(List<Entry> batch, Deque<List<Entry>> batches, Map<Key, Entry> answers) {
      Commit.Builder commit = writes.commit();
      batch.forEach(entry -> commit.unchanged(entry).delete(entry.key()));
      drop.addTo(commit, batch, answers);
      writes.send(commit, done -> forget(batches), refused -> failed(), notTaken -> {
        Commit.Builder deletes = guarded(batch);
        if (drop.addDeletes(deletes, batch)) {
          writes.send(deletes, done -> forget(batches), refused -> failed());
        } else {
          failed();
        }
      });
    }

    private Commit.Builder guarded(List<Entry> batch) {
      Commit.Builder commit = writes.commit();
      batch.forEach(commit::unchanged);
      return commit;
    }
  }

  /** Data that contains its own age. */
  private final class Swept extends Chore {
    private final Space space;
    private final Predicate<Entry> due;
    private final AtomicLong count;
    private Optional<Scan> next = Optional.empty();
    private long left;

    /**
     * @param count how many there are, by the last round
     */
    Swept(Space space, Predicate<Entry> due, AtomicLong count) {
      this.space = space;
      this.due = due;
      this.count = count;
    }

    @Override
    Scan scan() {
      return next.orElse(Scan.all(space)).limit(SWEPT_AT_ONCE);
    }

    @Override
    void took(Page page) {
      List<Entry> old = page.entries().stream()
          .filter(entry -> passedOver.read(entry, due::test).orElse(false))
          .limit(DELETED_AT_ONCE)
          .toList();
      boolean cut = old.size() == DELETED_AT_ONCE;
      next = cut ? Optional.of(Scan.all(space).after(old.getLast().key())) : page.next();
      int seen =
          cut ? page.entries().indexOf(old.getLast()) + 1 : page.entries().size();
      left += seen - old.size();
      if (next.isEmpty()) {
        count.set(left);
        left = 0;
      }
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
