package io.belfry.core.retain;

import io.belfry.core.record.Segment;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import java.util.function.Consumer;

/**
 * Which lots must not be folded yet, because something is still to be started after tasks in them.
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

  /** Whether the lot is still needed; who owes takes note of it. */
  boolean owes(Entry lot, Segment segment);

  /** Lets a commit take effect only while everything that {@link #owes} goes by is as it is now. */
  Consumer<Commit.Builder> asOfNow();
}
