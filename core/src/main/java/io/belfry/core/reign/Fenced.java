package io.belfry.core.reign;

import io.belfry.core.commit.Settler;
import io.belfry.core.keys.Keys;
import io.belfry.core.lead.Leadership;
import io.belfry.core.lead.TermCommits;
import io.belfry.core.loop.Loop;
import io.belfry.core.retain.TermWrites;
import io.belfry.store.Commit;
import io.belfry.store.Guard;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The only way in which a reign writes: every commit holds the term, and one that the fence refuses ends the reign.
 *
 * <p>Threading: confined to the reign's loop.
 */
final class Fenced implements TermWrites {
  private final long fence;
  private final BooleanSupplier leads;
  private final TermCommits term;
  private final Settler settler;

  /**
   * A writer for one term.
   *
   * @param leads asked before anything is sent, and before an answer is believed
   * @param term hears what becomes of its commits
   */
  Fenced(Loop loop, Store store, Leadership leadership, BooleanSupplier leads, TermCommits term) {
    this.fence = leadership.fence();
    this.leads = leads;
    this.term = term;
    this.settler = new Settler("the leader", loop, store, leads, closed -> term.deposed());
  }

  @Override
  public Commit.Builder commit() {
    return Commit.when().holds(Keys.FENCE, fence);
  }

  @Override
  public void send(Commit.Builder commit, LongConsumer done, Consumer<Guard> refused) {
    if (leads.getAsBoolean()) {
      settler.commit(commit.build(), settled -> settled(settled, done, refused));
    }
  }

  @Override
  public void send(
      Commit.Builder commit,
      LongConsumer done,
      Consumer<Guard> refused,
      Consumer<StoreException.Full> noRoom) {
    if (leads.getAsBoolean()) {
      settler.commit(commit.build(), settled -> settled(settled, done, refused), told -> {
        if (told instanceof StoreException.Full full) {
          noRoom.accept(full);
        } // otherwise an earlier try may have taken effect, and its outcome follows
      });
    }
  }

  private void settled(Settler.Settled settled, LongConsumer done, Consumer<Guard> refused) {
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
        throw new IllegalStateException("a reign writes under no lease, but got " + ended);
    }
  }
}
