package io.belfry.core.leader.term;

import io.belfry.core.event.Observer;
import io.belfry.model.time.Time;
import io.belfry.store.Store;
import java.time.Instant;

/**
 * What every part of a leader shares during one term. Threading: confined to the leader's loop.
 *
 * @param loop falls silent when the term is over
 * @param committer the only way to write
 * @param observer receives events
 * @param wakeUp asks for another turn, in which due jobs are fired and waiting tasks are assigned
 */
public record TermContext(
    TermLoop loop,
    Store store,
    TermCommitter committer,
    LeaderSettings settings,
    Observer observer,
    Runnable wakeUp) {

  public Time time() {
    return loop.time();
  }

  /** The wall clock. */
  public Instant now() {
    return loop.time().wall();
  }
}
