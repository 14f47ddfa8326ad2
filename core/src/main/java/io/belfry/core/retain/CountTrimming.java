package io.belfry.core.retain;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.PackKeys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.PackCount;
import io.belfry.core.record.Records;
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
 * Forgets packs of jobs of which only the last tasks must be kept, before their time is over.
 *
 * <pre>
 *   counts, newest first ──▶ so many of each job lie in what was passed ──▶ a pack of which no job needs anything is dropped
 *     a page to a look, round and round                                    in commits of {@link EarlyDrop#AT_ONCE}
 * </pre>
 *
 * <p>Packs are not opened, and dropped only as a whole. Which of a job's tasks are its last is told by their ends: a pack may go for
 * the sake of a job only if enough tasks that surely ended later lie in packs that stay. So at least the last so many are kept, and more
 * as long as they lie together with something that is needed.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class CountTrimming {
  static final int LOOKED_AT_ONCE = 200;
  private final Loop loop;
  private final Store store;
  private final EarlyDrop drop;
  private final PassedOver passedOver;
  private final BooleanSupplier leads;
  private final Map<String, Enough> passed = new HashMap<>();
  private Optional<Scan> next = Optional.empty();
  private boolean busy;

  CountTrimming(
      Loop loop, Store store, TermWrites writes, PassedOver passedOver, BooleanSupplier leads) {
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
      Scan scan = next.orElse(Scan.all(Keys.PACK_COUNTS)).limit(LOOKED_AT_ONCE);
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

  /** Of a pack whose name can be read as well. */
  private PackCount count(Entry entry) {
    long unused = PackKeys.end(entry.key().text());
    return Records.packCount(entry.value());
  }

  /** Every job is asked, even if one has already said no: what stays counts for all of them. */
  private boolean mayGo(PackCount count) {
    boolean all = true;
    for (PackCount.Piece piece : count.pieces()) {
      all &=
          passed.computeIfAbsent(piece.job(), job -> new Enough(piece.keep())).mayGo(piece);
    }
    return all;
  }
}
