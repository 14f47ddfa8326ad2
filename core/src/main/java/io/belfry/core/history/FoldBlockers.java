package io.belfry.core.history;

import io.belfry.core.record.EndedBatch;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import java.util.function.Consumer;

/**
 * Which batches must not be folded yet, because jobs that run after their tasks are still to be started.
 *
 * <p>Threading: confined to the leader's loop.
 */
public interface FoldBlockers {
  FoldBlockers NONE = new FoldBlockers() {
    @Override
    public boolean owes(Entry batch, EndedBatch endedBatch) {
      return false;
    }

    @Override
    public Consumer<Commit.Builder> asOfNow() {
      return commit -> {};
    }
  };

  /** Whether the batch is still needed; if so, this records it. */
  boolean owes(Entry batch, EndedBatch endedBatch);

  /** Adds guards, so that a commit takes effect only while everything that {@link #owes} is based on is unchanged. */
  Consumer<Commit.Builder> asOfNow();
}
