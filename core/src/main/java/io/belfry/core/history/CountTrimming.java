package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Records;
import io.belfry.core.record.SegmentCount;
import io.belfry.store.Entry;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Deletes segments early if their jobs keep only their last tasks.
 *
 * <pre>
 *   counts, newest first ──▶ count each job's tasks in the segments passed ──▶ a segment that no job needs any more is deleted
 *     one page per check, in rounds                                         in commits of {@link EarlyDrop#AT_ONCE}
 * </pre>
 *
 * <p>Segments are not opened, and deleted only as a whole. A job's last tasks are determined by their ends: a job allows deleting a segment
 * only if enough tasks that certainly ended later are in segments that stay. So at least the configured number is kept, and more
 * while they share a segment with tasks that are needed.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class CountTrimming {
  static final int LOOKED_AT_ONCE = 200;
  private final Loop loop;
  private final Store store;
  private final EarlyDrop drop;
  private final SkippedRecords passedOver;
  private final BooleanSupplier leads;
  private final Map<String, KeepLast> passed = new HashMap<>();
  private Optional<Scan> next = Optional.empty();
  private boolean busy;

  CountTrimming(
      Loop loop, Store store, TermWrites writes, SkippedRecords passedOver, BooleanSupplier leads) {
    this.loop = loop;
    this.store = store;
    this.drop = new EarlyDrop(loop, store, writes, leads);
    this.passedOver = passedOver;
    this.leads = leads;
  }

  void look() {
    if (!busy && leads.getAsBoolean()) {
      busy = true;
      if (next.isEmpty()) {
        passed.clear();
      }
      Scan scan = next.orElse(Scan.all(Keys.SEGMENT_COUNTS)).limit(LOOKED_AT_ONCE);
      loop.onResult(store.scan(scan), this::took, failure -> busy = false);
    }
  }

  private void took(Page page) {
    next = page.next();
    Deque<EarlyDrop.Old> old = new ArrayDeque<>();
    for (Entry entry : page.entries()) {
      passedOver
          .read(entry, this::count)
          .filter(this::mayGo)
          .ifPresent(count -> old.add(
              new EarlyDrop.Old(entry.key().text(), entry, count.until(), count.rated() > 0)));
    }
    drop.send(old, () -> busy = false, () -> busy = false);
  }

  /** The count, if the segment's name is valid, too. */
  private SegmentCount count(Entry entry) {
    long unused = SegmentKeys.end(entry.key().text());
    return Records.segmentCount(entry.value());
  }

  /** Asks every job, even after one has refused: a segment that stays counts for all of them. */
  private boolean mayGo(SegmentCount count) {
    boolean all = true;
    for (SegmentCount.Piece piece : count.pieces()) {
      all &=
          passed.computeIfAbsent(piece.job(), job -> new KeepLast(piece.keep())).mayGo(piece);
    }
    return all;
  }
}
