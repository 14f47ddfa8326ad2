package io.belfry.core.commit;

import io.belfry.store.Commit;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Revision;
import java.util.function.Consumer;

/**
 * Commits of one writer, one after another, linked by a key that nobody else writes.
 *
 * <pre>
 *   key: absent ──lot 1──▶ r1 ──lot 2──▶ r2 ──lot 3──▶ …
 *                               └ answer lost: the same lot again finds the key at its own r3, and knows
 * </pre>
 *
 * <p>Each commit is guarded by the revision that the last one left on the key. So a commit whose answer got lost is simply sent again:
 * refused by the key means that it was applied, with exactly the revision that stands there; even if everything else that it wrote
 * has been changed or deleted since.
 *
 * <p>Threading: confined to its loop; one commit at a time.
 */
public final class Chain {

  /** What became of a link. */
  public sealed interface Link {
    record Applied(long revision) implements Link {}

    /** Not applied, because of this guard, which is not the chain's own. */
    record Refused(Guard guard, long found) implements Link {}
  }

  private final Settler settler;
  private final Key key;
  private long last = Revision.NONE;

  public Chain(Settler settler, Key key) {
    this.settler = settler;
    this.key = key;
  }

  /**
   * Adds a link.
   *
   * @param word what the key says from then on
   */
  public void commit(Commit content, byte[] word, Consumer<Link> then) {
    Commit.Builder commit = Commit.when();
    if (last == Revision.NONE) {
      commit.absent(key);
    } else {
      commit.unchanged(key, last);
    }
    Commit linked = commit.also(content).put(key, word).build();
    settler.commit(linked, settled -> then.accept(link(settled)));
  }

  private Link link(Settler.Settled settled) {
    switch (settled.outcome()) {
      case Outcome.Done(long revision) -> {
        last = revision;
        return new Link.Applied(revision);
      }
      case Outcome.Refused(Guard guard, long found)
      when guard.key().equals(key) -> {
        if (!settled.afterUnknown()) {
          throw new IllegalStateException(
              key + " was written by somebody else, although it belongs to this process alone");
        }
        last = found;
        return new Link.Applied(found);
      }
      case Outcome.Refused(Guard guard, long found) -> {
        return new Link.Refused(guard, found);
      }
      case Outcome.LeaseEnded ended ->
        throw new IllegalStateException("a chain is written under no lease, but got " + ended);
    }
  }
}
