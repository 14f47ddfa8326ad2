package io.belfry.store;

/**
 * Sees how a store gets on with commits: for figures, never for decisions.
 *
 * <p>Threading: called from whatever thread has the answer, several at a time; must be quick and must not throw.
 */
@FunctionalInterface
public interface CommitObserver {
  CommitObserver NONE = (commits, nanos, answered) -> {};

  /**
   * A batch has come back.
   *
   * @param commits in the batch
   * @param nanos from when it was sent
   * @param answered whether the engine told the outcome of each; false if it could not be reached, or its answer got lost
   */
  void batch(int commits, long nanos, boolean answered);
}
