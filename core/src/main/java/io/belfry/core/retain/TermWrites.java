package io.belfry.core.retain;

import io.belfry.store.Commit;
import io.belfry.store.Guard;
import io.belfry.store.StoreException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** How a leader writes: every commit holds its term. Threading: confined to the leader's loop. */
public interface TermWrites {

  /** A commit that begins with the fence. */
  Commit.Builder commit();

  /**
   * Commits, and hears the end of it unless the term is over by then.
   *
   * @param refused by a guard of the commit itself: what was believed is not so
   */
  void send(Commit.Builder commit, LongConsumer done, Consumer<Guard> refused);

  /**
   * The same for a commit that does not wait until the engine accepts it.
   *
   * @param notTaken the engine refuses it, because it is full, for example: nothing has been written, and nothing will be
   */
  void send(
      Commit.Builder commit,
      LongConsumer done,
      Consumer<Guard> refused,
      Consumer<StoreException> notTaken);
}
