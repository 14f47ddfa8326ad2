package io.belfry.library;

import io.belfry.core.keys.Keys;
import io.belfry.core.submit.EndMark;
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
 * Ends a namespace that is empty, so that it can be deleted without losing anything that was accepted.
 *
 * <pre>
 *   mark under a lease ──▶ jobs? requests? tasks? ──none──▶ mark for good: nothing new is ever accepted, on any node
 *                                    │ some                        │ the process dies here: ended again, it is found ended
 *                                    └──▶ lease ended              │
 *   the process dies here: the lease ends, and new work is accepted again
 * </pre>
 *
 * <p>What was accepted before the mark is found, because each space is read as of the mark or later, in the order in which work flows: a job
 * makes requests and tasks, a request makes a task. What comes behind the mark is refused by the store, see {@link EndMark}.
 *
 * <p>Law: behind a check that found nothing, the mark is never absent. Only its lease takes it away, and the mark for good replaces exactly
 * the mark that was checked.
 *
 * <p>Threading: safe.
 */
final class NamespaceEnd {
  /** Longer than a check takes; so long new work is refused if the process dies during one. */
  static final Duration LEASE = Duration.ofSeconds(15);

  private static final int TRIES_MAX = 20;

  private final Calls calls;
  private final Store store;
  private final Duration lease;

  NamespaceEnd(Calls calls, Store store, Duration lease) {
    this.calls = calls;
    this.store = store;
    this.lease = lease;
  }

  /** What is left; {@link Remaining#NOTHING}: it has ended. */
  Remaining endIfEmpty() {
    Calls.Span span = calls.begin();
    // One that is in use refuses nothing meanwhile.
    Optional<Remaining> known =
        Optional.of(look(span, Revision.NONE)).filter(left -> left != Remaining.NOTHING);
    for (int tried = 0; known.isEmpty() && tried < TRIES_MAX; tried++) {
      Optional<Entry> mark =
          span.read(() -> store.get(List.of(Keys.ENDED))).stream().findFirst();
      known = mark.filter(EndMark::isForGood).isPresent()
          ? Optional.of(Remaining.NOTHING)
          : check(span, mark);
    }
    return known.orElseThrow(() -> new StoreException.Overloaded(
        "The namespace is being ended by others at the same time. Ask again in a minute."));
  }

  /** Empty: somebody else has marked it, or the lease has ended. */
  private Optional<Remaining> check(Calls.Span span, Optional<Entry> before) {
    Lease held = span.write(() -> store.grant(lease));
    Commit.Builder marking = Commit.when();
    before.ifPresentOrElse(marking::unchanged, () -> marking.absent(Keys.ENDED));
    marking.put(Keys.ENDED, EndMark.checking(), held.id());
    Optional<Remaining> found = Optional.empty();
    if (span.write(() -> store.commit(marking.build())) instanceof Outcome.Done(long marked)) {
      found = Optional.of(look(span, marked));
      if (found.get() == Remaining.NOTHING) {
        Commit forGood = Commit.when()
            .unchanged(Keys.ENDED, marked)
            .put(Keys.ENDED, EndMark.forGood())
            .build();
        return span.write(() -> store.commit(forGood)) instanceof Outcome.Done
            ? found
            : Optional.empty();
      }
    }
    Void unused = span.write(() -> store.revoke(held.id()));
    return found;
  }

  private Remaining look(Calls.Span span, long since) {
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

  /** Reads may lag behind. */
  private Page page(Calls.Span span, Scan scan, long since) {
    for (int tried = 0; tried < TRIES_MAX; tried++) {
      Page page = span.read(() -> store.scan(scan));
      if (page.revision() >= since) {
        return page;
      }
    }
    throw new StoreException.Unavailable(
        "The engine answers with old data, so that it is not known whether the namespace is empty. Ask again later.",
        null);
  }
}
