package io.belfry.core.leader.term;

import io.belfry.core.commit.RetryingCommitter;
import io.belfry.core.election.Leadership;
import io.belfry.core.election.TermCommits;
import io.belfry.core.history.TermWrites;
import io.belfry.core.keys.Keys;
import io.belfry.store.Commit;
import io.belfry.store.Guard;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only way in which a leader writes: every commit holds the term, and one that the fence refuses ends the term.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class TermCommitter implements TermWrites {
  private static final Logger LOG = LoggerFactory.getLogger(TermCommitter.class);

  private final TermLoop loop;
  private final long fence;
  private final TermCommits term;
  private final RetryingCommitter settler;

  /**
   * A writer for one term.
   *
   * @param term receives what becomes of its commits
   */
  public TermCommitter(TermLoop loop, Store store, Leadership leadership, TermCommits term) {
    this.loop = loop;
    this.fence = leadership.fence();
    this.term = term;
    this.settler = new RetryingCommitter(loop, store, loop::lasts, closed -> term.deposed());
  }

  @Override
  public Commit.Builder commit() {
    return Commit.when().holds(Keys.FENCE, fence);
  }

  @Override
  public void send(Commit.Builder commit, LongConsumer done, Consumer<Guard> refused) {
    if (loop.lasts()) {
      built(commit, refused)
          .ifPresent(sure -> settler.commit(sure, settled -> settled(settled, done, refused)));
    }
  }

  @Override
  public void send(
      Commit.Builder commit,
      LongConsumer done,
      Consumer<Guard> refused,
      Consumer<StoreException> notTaken) {
    if (loop.lasts()) {
      built(commit, refused)
          .ifPresent(sure ->
              settler.commit(sure, settled -> settled(settled, done, refused), reason -> {
                if (!(reason instanceof StoreException.Unknown)) {
                  notTaken.accept(reason);
                } // otherwise an earlier try may have taken effect, and its outcome follows
              }));
    }
  }

  /**
   * A commit that no store takes (too large, one key twice) is a bug in the part that made it. That part alone is held up: it learns, after a
   * pause, as if the engine had refused, and makes another one.
   */
  private Optional<Commit> built(Commit.Builder commit, Consumer<Guard> refused) {
    try {
      return Optional.of(commit.build());
    } catch (IllegalArgumentException e) {
      LOG.error(
          "The leader made a commit that no store takes: it is not sent, and tried again in {}. This is a bug in Belfry.",
          Backoff.AFTER_A_BUG,
          e);
      var unused =
          loop.after(Backoff.AFTER_A_BUG, () -> refused.accept(new Guard.Holds(Keys.FENCE, fence)));
      return Optional.empty();
    }
  }

  private void settled(
      RetryingCommitter.Settled settled, LongConsumer done, Consumer<Guard> refused) {
    term.answered();
    switch (settled.outcome()) {
      case Outcome.Done(long revision) -> done.accept(revision);
      case Outcome.Refused(Guard guard, long found) -> {
        if (guard.key().equals(Keys.FENCE)) {
          term.deposed();
        } else {
          refused.accept(guard);
        }
      }
      case Outcome.LeaseEnded ended ->
        throw new IllegalStateException("a leader writes under no lease, but got " + ended);
    }
  }
}
