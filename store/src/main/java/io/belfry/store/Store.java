package io.belfry.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Ordered keys with revisions, guarded commits, leases and a resumable watch: everything the core asks of an
 * engine. Mechanism only: claiming, retrying and electing are written once, above this interface.
 *
 * <p><b>Revisions.</b> Every {@link Entry} carries the {@link Revision} of the atomic step that wrote it. A revision
 * names a step, not a commit: commits that an engine applied together may share it. Revisions never go down within
 * a data set, and two different values of a key never bear the same revision, not even across a failover that took
 * writes back: a new epoch begins then. A key that nobody has written since is shown under the revision it had, or under the
 * same counter in the new epoch, as the engine likes; guards go by what is shown. So once the epoch has changed, a larger revision
 * of a key does not prove that it was written.
 *
 * <p><b>Commits.</b> All writes of a commit happen, in one atomic step, or none of them: none when any of its guards
 * does not hold at that step. Commits are serialisable whatever batches an adapter gathers them into. Two commits handed
 * to the same {@code Store} that touch a common key take effect in the order in which they were handed over, also when the engine refuses the
 * first one for a moment: it fails then, unless the second is kept back. Only one whose outcome is unknown may take effect later.
 *
 * <p><b>Outcomes.</b> A commit completes with an {@link Outcome} once that outcome is durable to the degree the engine
 * is configured for, or exceptionally with a {@link StoreException}. {@link StoreException.Unknown} means what it
 * says: the commit may have been applied, may be applied <em>after any later read</em>, or never. Only a guarded commit
 * over the same keys settles it; a caller makes that possible by writing one key under {@code absent} that no other
 * commit writes, and then simply commits again: {@code Done} or a refusal by that very key both mean success. Every
 * other exception means that nothing was or will be applied.
 *
 * <p><b>Reads</b> show only what was committed, may lag behind commits of other clients by a moment, and decide
 * nothing: whoever acts on a read guards the act by the revision that was read.
 *
 * <p>Threading: every method may be called from any thread and returns without waiting for the engine. Stages
 * complete on a thread of the adapter: continuations must not block.
 */
public interface Store extends AutoCloseable {

  /** Applies all writes of {@code commit}, or none if a guard does not hold. */
  CompletionStage<Outcome> commit(Commit commit);

  /** The entries that exist among {@code keys} (at most {@link Limits#GET_KEYS_MAX}), in the order asked for. */
  CompletionStage<List<Entry>> get(Collection<Key> keys);

  /**
   * One page of an ordered space, in unsigned byte order of the names. A page is atomic, a sequence of pages is
   * not. A page may be shorter than asked for while {@link Page#next()} is present.
   */
  CompletionStage<Page> scan(Scan scan);

  /**
   * A new lease. It ends when it was not renewed for its {@linkplain Lease#ttl() TTL} as the engine measures time,
   * never earlier; all keys written under it vanish in one step then, and watchers see them deleted. After an
   * interruption of the engine itself leases start over with their full TTL: an engine that was away says nothing
   * about who is alive. An engine inside the only process that can use it is the exception: when it is opened, every lease it finds was held by a
   * process that has ended, and ends at once. The granted TTL may be longer than the one asked for, never shorter.
   */
  CompletionStage<Lease> grant(Duration ttl);

  /**
   * Starts the lease's TTL over. {@code false}: the lease has ended and does not come back. A holder counts its trust
   * from the moment <em>before</em> this call, not from the answer.
   */
  CompletionStage<Boolean> renew(long lease);

  /** Ends the lease now, with all keys written under it. Ending one that has ended is no error. */
  CompletionStage<Void> revoke(long lease);

  /**
   * Hears every change of {@code feed} after revision {@code after} (or from now on, with {@link Watch#NOW}), each
   * exactly once, in the order of the commits, across reconnects, until closed; or {@link Watcher#compacted()} when
   * that cannot be promised any more, for example because the watcher threw.
   */
  Watch watch(Feed feed, long after, Watcher watcher);

  /** What engine this is and how it is, for people. */
  CompletionStage<Status> status();

  /**
   * How often a connection to the engine was given up and made anew since the store was opened, for figures; 0 where there is no
   * connection.
   */
  default long reconnects() {
    return 0;
  }

  /**
   * Where the servers of the engine listen, as far as is known at the moment: those that the store was told of, and those that it has found.
   * None for an engine inside this process. From memory: never waits.
   */
  Set<Endpoint> endpoints();

  /**
   * Ends everything: what waits is completed, with {@link StoreException.Closed} or {@link StoreException.Unknown};
   * watches fall silent; no thread is left behind. Safe twice.
   *
   * <p>Returns within ten seconds, whatever the network, the engine's servers or a name server does: only an engine inside this process waits
   * for its disk. A thread that is in the middle of a look-up of a host, which cannot be interrupted, ends when that is over.
   */
  @Override
  void close();
}
