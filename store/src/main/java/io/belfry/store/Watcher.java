package io.belfry.store;

import java.util.List;

/**
 * Hears a feed. Called by one thread at a time, in order; must not block. Exactly one call of {@code opened} comes
 * first; after {@code compacted} or {@code failed} nothing comes any more.
 *
 * <p>One that throws has not heard what it was told. What it threw is logged, its watch ends, and {@code compacted} is its last word, so that nobody
 * goes on with what is no longer up to date. Other watches go on. What {@code compacted} and {@code failed} throw is logged; there is nothing left to
 * be told then.
 */
public interface Watcher {

  /** From here on every change after {@code revision} will be heard. */
  default void opened(long revision) {}

  /**
   * All changes of the feed by one step, in the order of the commits. Delivered only when no failover can take them back
   * any more, to the degree that the engine is configured for.
   */
  void changed(long revision, List<Change> changes);

  /** Changes were missed or taken back: whoever followed must scan again and open a new watch. */
  void compacted();

  /** The engine refuses this watch for good, for example for want of permission. */
  default void failed(StoreException cause) {
    compacted();
  }
}
