package io.belfry.core.history;

import io.belfry.store.Commit;
import io.belfry.store.Guard;
import io.belfry.store.StoreException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** The leader's writes: every commit is guarded by its term. Threading: confined to the leader's loop. */
public interface TermWrites {

  /** A commit that begins with the fence. */
  Commit.Builder commit();

  /**
   * Commits, and calls back with the outcome unless the term is over by then.
   *
   * @param refused called if a guard of the commit itself failed: the cached state was wrong
   */
  void send(Commit.Builder commit, LongConsumer done, Consumer<Guard> refused);

  /**
   * Commits without waiting until the engine accepts it.
   *
   * @param notTaken called if the engine refuses it, for example because it is full: nothing was written, and nothing will be
   */
  void send(
      Commit.Builder commit,
      LongConsumer done,
      Consumer<Guard> refused,
      Consumer<StoreException> notTaken);
}
