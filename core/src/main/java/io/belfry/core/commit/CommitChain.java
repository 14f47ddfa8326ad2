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
 * A chain of commits by one writer, one after another, linked by a key that only this writer writes.
 *
 * <pre>
 *   key: absent ──opened──▶ r0 ──batch 1──▶ r1 ──batch 2──▶ r2 ──batch 3──▶ …
 *                                               └ answer lost: the same batch again finds the key at its own r3, and knows
 * </pre>
 *
 * <p>Each commit is guarded by the revision that the previous one left on the key. So a commit whose answer was lost is simply sent again:
 * if the guard on the key refuses it, it had been applied, at exactly the revision that the key has now; even if everything else that
 * it wrote has been changed or deleted since.
 *
 * <p>If a process was suspended for an hour, its key may have been deleted as an orphan. Then the chain starts again. A commit that
 * was in flight at that time may have been applied, so the chain does not retry it by itself. That is why the commit that opens a chain
 * must be safe to apply twice, and no batch is ever guarded by absence.
 *
 * <p>An engine may also be restored without the last links that it had acknowledged: a Redis that syncs once a second, or a backup. The key
 * then has an older revision than the last link, so the link in flight, which builds on the last, was not applied or was lost with it. It
 * is appended again where the chain ends now.
 *
 * <p>After a new epoch the revision no longer tells which link the key holds: some engines keep the old revision for unchanged keys,
 * others show them under the new epoch. A link that may have been applied is not retried then, either; one that was certainly not
 * applied is appended where the chain ends now.
 *
 * <p>Threading: confined to its loop; one commit at a time.
 */
public final class CommitChain {

  /** The outcome of a link. */
  public sealed interface Link {
    record Applied(long revision) implements Link {}

    /** Not applied: refused by this guard, which is not the one on the chain's own key. */
    record Refused(Guard guard, long found) implements Link {}

    /** The chain's key was deleted, or a new epoch began, before the answer arrived: it is unknown whether the link was applied. */
    record Forgotten() implements Link {}
  }

  /** The content of a link and the callbacks for its outcome. */
  private record PendingLink(
      Optional<Commit> content,
      byte[] value,
      Consumer<Link> then,
      Optional<Consumer<StoreException>> refused) {}

  private final RetryingCommitter settler;
  private final Key key;
  private final byte[] nothing;
  private long last = Revision.NONE;

  /**
   * A chain that has not been opened.
   *
   * @param nothing the key's value until the first link
   */
  public CommitChain(RetryingCommitter settler, Key key, byte[] nothing) {
    this.settler = settler;
    this.key = key;
    this.nothing = nothing;
  }

  /**
   * Appends a link.
   *
   * @param value the key's value once the link is applied
   */
  public void commit(Commit content, byte[] value, Consumer<Link> then) {
    add(new PendingLink(Optional.of(content), value, then, Optional.empty()));
  }

  /**
   * Appends a link for a caller that does not wait until the engine accepts it.
   *
   * @param refused see {@link RetryingCommitter#commit(Commit, Consumer, Consumer)}; after any failure other than {@link StoreException.Unknown} the
   *     chain is as if this link had never been requested
   */
  public void commit(
      Commit content, byte[] value, Consumer<Link> then, Consumer<StoreException> refused) {
    add(new PendingLink(Optional.of(content), value, then, Optional.of(refused)));
  }

  /** Appends a link that only changes the key's value. */
  public void say(byte[] value, Consumer<Link> then) {
    add(new PendingLink(Optional.empty(), value, then, Optional.empty()));
  }

  /** The chain's key, if it was opened: a writer that appends no more links may delete it. */
  public Optional<Key> opened() {
    return last == Revision.NONE ? Optional.empty() : Optional.of(key);
  }

  private void add(PendingLink link) {
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
    send(link, linked.put(key, link.value).build(), settled -> {
      OptionalLong end = currentEnd(settled);
      if (end.isPresent()) {
        last = end.getAsLong();
        add(link);
      } else {
        link.then.accept(link(settled));
      }
    });
  }

  private void send(PendingLink link, Commit commit, Consumer<RetryingCommitter.Settled> then) {
    link.refused.ifPresentOrElse(
        refused -> settler.commit(commit, then, refused), () -> settler.commit(commit, then));
  }

  private void opened(RetryingCommitter.Settled settled) {
    if (link(settled) instanceof Link.Refused refused) {
      throw new IllegalStateException(
          "the commit that opens a chain has no other guard, but was refused: " + refused);
    }
  }

  /** The revision at which the chain ends now, if it differs from the last known link and the link in flight was certainly not applied. */
  private OptionalLong currentEnd(RetryingCommitter.Settled settled) {
    boolean surelyNotApplied = settled.outcome() instanceof Outcome.Refused(Guard guard, long found)
        && guard.key().equals(key)
        && (isDeletedOrOfNewEpoch(found) ? !settled.afterUnknown() : found < last);
    return surelyNotApplied
        ? OptionalLong.of(((Outcome.Refused) settled.outcome()).found())
        : OptionalLong.empty();
  }

  /** Whether the key was deleted, or its revision belongs to an epoch that this chain does not know. */
  private boolean isDeletedOrOfNewEpoch(long found) {
    return found == Revision.NONE || Revision.epoch(found) > Revision.epoch(last);
  }

  private Link link(RetryingCommitter.Settled settled) {
    switch (settled.outcome()) {
      case Outcome.Done(long revision) -> {
        last = revision;
        return new Link.Applied(revision);
      }
      case Outcome.Refused(Guard guard, long found)
      when guard.key().equals(key) -> {
        if (!settled.afterUnknown()) {
          throw new IllegalStateException(
              key + " was written by another process, although only this process may write it");
        }
        boolean forgotten = isDeletedOrOfNewEpoch(found);
        last = found;
        return forgotten ? new Link.Forgotten() : new Link.Applied(found);
      }
      case Outcome.Refused(Guard guard, long found) -> {
        return new Link.Refused(guard, found);
      }
      case Outcome.LeaseEnded ended ->
        throw new IllegalStateException(
            "a link is committed without a lease, but its outcome was " + ended);
    }
  }
}
