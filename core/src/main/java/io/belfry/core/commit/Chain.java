package io.belfry.core.commit;

import io.belfry.store.Commit;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Revision;
import io.belfry.store.StoreException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Commits of one writer, one after another, linked by a key that nobody else writes.
 *
 * <pre>
 *   key: absent ──opened──▶ r0 ──lot 1──▶ r1 ──lot 2──▶ r2 ──lot 3──▶ …
 *                                               └ answer lost: the same lot again finds the key at its own r3, and knows
 * </pre>
 *
 * <p>Each commit is guarded by the revision that the last one left on the key. So a commit whose answer got lost is simply sent again:
 * refused by the key means that it was applied, with exactly the revision that stands there; even if everything else that it wrote
 * has been changed or deleted since.
 *
 * <p>The key of a process that stood still for an hour may have been taken for an orphan and be gone. Then the chain begins anew; a
 * commit that was under way just then may have been applied before, and is not sent again by itself. That is why a chain is opened
 * by a commit that may well be applied twice, and no lot is ever guarded by absence.
 *
 * <p>An engine may also come back without the last links that it had acknowledged: a Redis that syncs once a second, or a backup. The key then
 * stands at an older revision than the last, so the link under way, which builds on the last, was not applied or was taken back with it. It is
 * added again where the chain ends now.
 *
 * <p>With a new epoch nobody can tell from the revision which link it is that the key stands at: some engines go on showing what nobody wrote under
 * its old revision, others under the new epoch. A link that may have been applied before is not sent again then, either; one that was surely not
 * applied is added where the chain ends now.
 *
 * <p>Threading: confined to its loop; one commit at a time.
 */
public final class Chain {

  /** What became of a link. */
  public sealed interface Link {
    record Applied(long revision) implements Link {}

    /** Not applied, because of this guard, which is not the chain's own. */
    record Refused(Guard guard, long found) implements Link {}

    /** The chain's key was taken away, or a new epoch began, while the answer was missing: nobody can tell whether it was applied. */
    record Forgotten() implements Link {}
  }

  /** What a link is made of, and who hears what of it. */
  private record Making(
      Optional<Commit> content,
      byte[] word,
      Consumer<Link> then,
      Optional<Consumer<StoreException>> refused) {}

  private final Settler settler;
  private final Key key;
  private final byte[] nothing;
  private long last = Revision.NONE;

  /**
   * A chain that has not been opened.
   *
   * @param nothing what the key says as long as nothing has been said
   */
  public Chain(Settler settler, Key key, byte[] nothing) {
    this.settler = settler;
    this.key = key;
    this.nothing = nothing;
  }

  /**
   * Adds a link.
   *
   * @param word what the key says from then on
   */
  public void commit(Commit content, byte[] word, Consumer<Link> then) {
    add(new Making(Optional.of(content), word, then, Optional.empty()));
  }

  /**
   * The same for a caller who does not wait until the engine accepts.
   *
   * @param refused as {@link Settler#commit(Commit, Consumer, Consumer)} tells it; after everything but {@link StoreException.Unknown} the
   *     chain is as if this link had never been asked for
   */
  public void commit(
      Commit content, byte[] word, Consumer<Link> then, Consumer<StoreException> refused) {
    add(new Making(Optional.of(content), word, then, Optional.of(refused)));
  }

  /** Adds a link that changes nothing but what the key says. */
  public void say(byte[] word, Consumer<Link> then) {
    add(new Making(Optional.empty(), word, then, Optional.empty()));
  }

  /** The chain's key, if it was opened: whoever writes no more links may delete it. */
  public Optional<Key> opened() {
    return last == Revision.NONE ? Optional.empty() : Optional.of(key);
  }

  private void add(Making link) {
    if (last == Revision.NONE) {
      Commit opening = Commit.when().absent(key).put(key, nothing).build();
      send(link, opening, settled -> {
        opened(settled);
        add(link);
      });
      return;
    }
    Commit.Builder linked = Commit.when().unchanged(key, last);
    link.content.ifPresent(linked::also);
    send(link, linked.put(key, link.word).build(), settled -> {
      OptionalLong end = otherEnd(settled);
      if (end.isPresent()) {
        last = end.getAsLong();
        add(link);
      } else {
        link.then.accept(link(settled));
      }
    });
  }

  private void send(Making link, Commit commit, Consumer<Settler.Settled> then) {
    link.refused.ifPresentOrElse(
        refused -> settler.commit(commit, then, refused), () -> settler.commit(commit, then));
  }

  private void opened(Settler.Settled settled) {
    if (link(settled) instanceof Link.Refused refused) {
      throw new IllegalStateException("a chain is opened under no other guard, but got " + refused);
    }
  }

  /** Where the chain ends now, if that is not the last link that we know of, and the link under way is surely not in it. */
  private OptionalLong otherEnd(Settler.Settled settled) {
    boolean surelyNotApplied = settled.outcome() instanceof Outcome.Refused(Guard guard, long found)
        && guard.key().equals(key)
        && (saysNothing(found) ? !settled.afterUnknown() : found < last);
    return surelyNotApplied
        ? OptionalLong.of(((Outcome.Refused) settled.outcome()).found())
        : OptionalLong.empty();
  }

  /** Whether the key was taken away, or has got its revision from an epoch of which this chain knows nothing. */
  private boolean saysNothing(long found) {
    return found == Revision.NONE || Revision.epoch(found) > Revision.epoch(last);
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
        boolean forgotten = saysNothing(found);
        last = found;
        return forgotten ? new Link.Forgotten() : new Link.Applied(found);
      }
      case Outcome.Refused(Guard guard, long found) -> {
        return new Link.Refused(guard, found);
      }
      case Outcome.LeaseEnded ended ->
        throw new IllegalStateException("a chain is written under no lease, but got " + ended);
    }
  }
}
