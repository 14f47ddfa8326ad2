package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.store.Entry;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures how many finished tasks wait to be folded, and applies backpressure.
 *
 * <ul>
 *   <li>From {@link #BEHIND_BYTES} on folding is behind: it does not pause, and keeps rollups only of the jobs that fit into its commits.
 *   <li>From {@link #FULL_BYTES} on no tasks are accepted until half of it is folded.
 * </ul>
 *
 * <p>Threading: confined to the leader's loop.
 */
final class Backlog {
  static final long BEHIND_BYTES = 8L << 20;
  static final long FULL_BYTES = 32L << 20;

  private static final Logger LOG = LoggerFactory.getLogger(Backlog.class);

  private final Loop loop;
  private final Store store;
  private final RetainCounts counts;
  private final BooleanSupplier leads;
  private boolean busy;
  private boolean behind;
  private boolean full;
  private long batches;
  private long bytes;

  Backlog(Loop loop, Store store, RetainCounts counts, BooleanSupplier leads) {
    this.loop = loop;
    this.store = store;
    this.counts = counts;
    this.leads = leads;
  }

  boolean isBehind() {
    return behind;
  }

  boolean isFull() {
    return full;
  }

  void look() {
    if (!busy && leads.getAsBoolean()) {
      busy = true;
      batches = 0;
      bytes = 0;
      read(Scan.all(Keys.FRESH_HISTORY));
    }
  }

  private void read(Scan scan) {
    loop.onResult(store.scan(scan), this::took, failure -> busy = false);
  }

  private void took(Page page) {
    batches += page.entries().size();
    for (Entry entry : page.entries()) {
      bytes += entry.value().length;
    }
    if (page.next().isPresent() && bytes < FULL_BYTES && leads.getAsBoolean()) {
      read(page.next().get());
      return;
    }
    busy = false;
    counts.unfolded.set(batches);
    counts.unfoldedBytes.set(bytes);
    boolean was = behind;
    behind = bytes >= (was ? BEHIND_BYTES / 2 : BEHIND_BYTES);
    full = bytes >= (full ? FULL_BYTES / 2 : FULL_BYTES);
    if (behind && !was) {
      LOG.warn(
          "{} bytes of finished tasks wait to be folded into history: statistics by job are incomplete until the leader has caught up. Give the engine or the leader more resources, or let jobs fire less often.",
          bytes);
    }
  }
}
