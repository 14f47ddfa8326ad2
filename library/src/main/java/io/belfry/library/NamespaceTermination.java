package io.belfry.library;

import io.belfry.core.keys.Keys;
import io.belfry.core.submit.NamespaceEndMark;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Page;
import io.belfry.store.Revision;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Terminates an empty namespace, so that it can be deleted without losing accepted work.
 *
 * <pre>
 *   mark under a lease ──▶ jobs? requests? tasks? ──none──▶ permanent mark: new work is refused on all nodes
 *                                    │ some                        │ crash here: a repeated call finds the namespace terminated
 *                                    └──▶ lease revoked
 *   crash during the check: the lease expires, and new work is accepted again
 * </pre>
 *
 * <p>Work accepted before the mark is found, because each space is read at the revision of the mark or later, in the order in which work flows: a
 * job creates requests and tasks, a request creates a task. The store refuses work after the mark, see {@link NamespaceEndMark}.
 *
 * <p>Law: after a check that found nothing, the mark is never absent. Only its lease can remove it, and the permanent mark replaces exactly the
 * mark under which the check ran.
 *
 * <p>Threading: safe.
 */
final class NamespaceTermination {
  /** Longer than a check takes. New work is refused for this long if the process dies during a check. */
  static final Duration LEASE = Duration.ofSeconds(15);

  private static final int TRIES_MAX = 20;

  private final Calls calls;
  private final Store store;
  private final Duration lease;

  NamespaceTermination(Calls calls, Store store, Duration lease) {
    this.calls = calls;
    this.store = store;
    this.lease = lease;
  }

  /** What remains in the namespace; {@link Remaining#NOTHING} if it was terminated. */
  Remaining endIfEmpty() {
    Calls.Span span = calls.begin();
    // A first check without a mark, so that a namespace in use does not refuse work meanwhile.
    Optional<Remaining> known =
        Optional.of(check(span, Revision.NONE)).filter(left -> left != Remaining.NOTHING);
    for (int tried = 0; known.isEmpty() && tried < TRIES_MAX; tried++) {
      Optional<Entry> mark =
          span.read(() -> store.get(List.of(Keys.ENDED))).stream().findFirst();
      known = mark.filter(NamespaceEndMark::isForGood).isPresent()
          ? Optional.of(Remaining.NOTHING)
          : terminate(span, mark);
    }
    return known.orElseThrow(
        () -> new StoreException.Overloaded(
            "The namespace is being terminated by another call at the same time. Try again in a minute."));
  }

  /** Empty if another call has marked the namespace, or if the lease has expired. */
  private Optional<Remaining> terminate(Calls.Span span, Optional<Entry> before) {
    Lease held = span.write(() -> store.grant(lease));
    Commit.Builder marking = Commit.when();
    before.ifPresentOrElse(marking::unchanged, () -> marking.absent(Keys.ENDED));
    marking.put(Keys.ENDED, NamespaceEndMark.checking(), held.id());
    Optional<Remaining> found = Optional.empty();
    if (span.write(() -> store.commit(marking.build())) instanceof Outcome.Done(long marked)) {
      found = Optional.of(check(span, marked));
      if (found.get() == Remaining.NOTHING) {
        Commit forGood = Commit.when()
            .unchanged(Keys.ENDED, marked)
            .put(Keys.ENDED, NamespaceEndMark.forGood())
            .build();
        return span.write(() -> store.commit(forGood)) instanceof Outcome.Done
            ? found
            : Optional.empty();
      }
    }
    Void unused = span.write(() -> store.revoke(held.id()));
    return found;
  }

  private Remaining check(Calls.Span span, long since) {
    if (has(span, Keys.JOBS, since)) {
      return Remaining.JOBS;
    }
    if (has(span, Keys.REQUESTS, since)) {
      return Remaining.REQUESTS;
    }
    return has(span, Keys.TASKS, since) ? Remaining.TASKS : Remaining.NOTHING;
  }

  private boolean has(Calls.Span span, Space space, long since) {
    Optional<Scan> next = Optional.of(Scan.all(space).limit(1));
    while (next.isPresent()) {
      Page page = page(span, next.get(), since);
      if (!page.entries().isEmpty()) {
        return true;
      }
      next = page.next();
    }
    return false;
  }

  /** A read may return a revision older than the mark; it is then repeated. */
  private Page page(Calls.Span span, Scan scan, long since) {
    for (int tried = 0; tried < TRIES_MAX; tried++) {
      Page page = span.read(() -> store.scan(scan));
      if (page.revision() >= since) {
        return page;
      }
    }
    throw new StoreException.Unavailable(
        "The engine returns stale data, so whether the namespace is empty is unknown. Try again later.",
        null);
  }
}
