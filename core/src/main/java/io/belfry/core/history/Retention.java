package io.belfry.core.history;

import io.belfry.core.loop.Loop;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The leader's housekeeping of history: folds and trims for as long as its term lasts.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class Retention {
  private final Loop loop;
  private final BooleanSupplier leads;
  private final RetainSettings settings;
  private final Folding folding;
  private final Backlog backlog;
  private final RollupMerging rolling;
  private final ByteTrimming bytes;
  private final Trimming trimming;
  private final RollupTrimming rollups;
  private final CountTrimming counts;
  private final LogTrimming logs;
  private final Orphans orphans;
  private final DedupKeys keys;
  private final List<Merging> mergings;

  /**
   * A retention that has not started.
   *
   * @param loop runs steps only while the term lasts
   * @param debts which batches must not be folded yet
   * @param counted counters for what is skipped and dropped
   * @param leads whether the term lasts, and the leader may trust its wall clock; once false, nothing happens any more
   */
  public Retention(
      Loop loop,
      Store store,
      TermWrites writes,
      RetainSettings settings,
      FoldBlockers debts,
      RetainCounts counted,
      BooleanSupplier leads) {
    this.loop = loop;
    this.leads = leads;
    this.settings = settings;
    var passedOver = new SkippedRecords(counted);
    this.backlog = new Backlog(loop, store, counted, leads);
    this.folding =
        new Folding(loop, store, writes, settings, debts, passedOver, counted, backlog::isBehind);
    this.rolling = new RollupMerging(loop, store, writes, settings, passedOver, leads);
    this.bytes = new ByteTrimming(loop, store, writes, settings, passedOver, counted, leads);
    this.trimming = new Trimming(loop, store, writes, settings, passedOver, counted, leads);
    this.rollups = new RollupTrimming(loop, store, writes, settings, passedOver, counted, leads);
    this.counts = new CountTrimming(loop, store, writes, passedOver, leads);
    this.logs = new LogTrimming(loop, store, writes, settings, passedOver, leads);
    this.orphans = new Orphans(loop, store, writes, leads);
    this.keys = new DedupKeys(loop, store, writes, settings, counted, leads);
    this.mergings = List.of(
        new Merging(loop, store, writes, settings, Merging.Part.MOST, passedOver, leads),
        new Merging(loop, store, writes, settings, Merging.Part.RATED, passedOver, leads));
  }

  public void start() {
    every(settings.foldEvery(), folding::look);
    every(settings.trimEvery(), backlog::look);
    every(settings.trimEvery(), rolling::look);
    every(settings.trimEvery(), bytes::look);
    every(settings.trimEvery(), trimming::look);
    every(settings.trimEvery(), rollups::look);
    every(settings.trimEvery(), counts::look);
    every(settings.trimEvery(), logs::look);
    every(settings.trimEvery(), orphans::look);
    keys.look();
    every(settings.trimEvery(), keys::look);
    every(settings.trimEvery(), () -> mergings.forEach(Merging::look));
  }

  /** Whether so many tasks wait to be folded that no more may be submitted. */
  public boolean isFull() {
    return backlog.isFull();
  }

  /** The counter of idempotency keys. */
  public DedupKeys keys() {
    return keys;
  }

  private void every(Duration pause, Runnable look) {
    var unused = loop.after(pause, () -> {
      if (leads.getAsBoolean()) {
        look.run();
        every(pause, look);
      }
    });
  }
}
