package io.belfry.core.retain;

import io.belfry.core.record.Segment;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import java.util.function.Consumer;

/**
 * Which lots must not be folded yet, because jobs that run after their tasks are still to be started.
 *
 * <p>Threading: confined to the leader's loop.
 */
public interface Debts {
  Debts NONE = new Debts() {
    @Override
    public boolean owes(Entry lot, Segment segment) {
      return false;
    }

    @Override
    public Consumer<Commit.Builder> asOfNow() {
      return commit -> {};
    }
  };

  /** Whether the lot is still needed; if so, this records it. */
  boolean owes(Entry lot, Segment segment);

  /** Adds guards, so that a commit takes effect only while everything that {@link #owes} is based on is unchanged. */
  Consumer<Commit.Builder> asOfNow();
}
