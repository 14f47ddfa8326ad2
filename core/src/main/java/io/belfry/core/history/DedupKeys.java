package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Fullness;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts idempotency keys, and tells all nodes by one record when the limit is reached, and when keys are accepted again.
 *
 * <pre>
 *   all expiry keys, page by page ──▶ count ──▶ limit reached, or exceeded by a tenth ──▶ s/keys, which submitting nodes watch
 *   submitted tasks with a key ──+1──▶   ▲
 *                                        └── the next round begins {@link #ROUND} after the last
 * </pre>
 *
 * <p>A round reads at most {@value #PAGES_MAX} pages of {@value #PAGE} keys per check. Between rounds, keys of submitted tasks are
 * counted as the leader learns of them; other keys wait for the next round. So the count is approximate, not exact. Before the end of its
 * first round, a leader leaves its predecessor's record unchanged.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class DedupKeys {
  static final int PAGE = 1000;
  static final int PAGES_MAX = 100;
  static final Duration ROUND = Duration.ofMinutes(5);

  private static final Logger LOG = LoggerFactory.getLogger(DedupKeys.class);

  /** Which new keys are accepted. */
  private enum Room {
    FOR_ALL,
    /** Only manual calls: triggers without an instant, and retries. */
    BY_HAND,
    NONE
  }

  private final Loop loop;
  private final Store store;
  private final TermWrites writes;
  private final RetainCounts counts;
  private final BooleanSupplier leads;
  private final long most;
  private Room room = Room.FOR_ALL;
  private long known;
  private long count;
  private boolean counted;
  private boolean writing;
  private boolean reading;
  private Optional<Scan> next = Optional.empty();
  private long found;
  private Optional<Long> lastRound = Optional.empty();

  DedupKeys(
      Loop loop,
      Store store,
      TermWrites writes,
      RetainSettings settings,
      RetainCounts counts,
      BooleanSupplier leads) {
    this.loop = loop;
    this.store = store;
    this.writes = writes;
    this.counts = counts;
    this.leads = leads;
    this.most = settings.keysMax();
  }

  /** The stored record, by this leader or an earlier one. */
  public void heard(Entry entry) {
    if (entry.revision() > known) {
      known = entry.revision();
      if (!writing) { // otherwise it may be our own, not answered yet
        SafeDecoder.read(entry, each -> Records.fullness(each.value()))
            .ifPresent(stored -> room = room(stored));
      }
    }
  }

  private static Room room(Fullness stored) {
    return !stored.full() ? Room.FOR_ALL : stored.isBeyond() ? Room.NONE : Room.BY_HAND;
  }

  /** A task was submitted with a key. */
  public void added() {
    count++;
    counts.dedupKeys.set(count);
    decide();
  }

  void look() {
    long now = loop.time().nanos();
    boolean rests =
        next.isEmpty() && lastRound.filter(at -> now - at < ROUND.toNanos()).isPresent();
    if (reading || rests || !leads.getAsBoolean()) {
      return;
    }
    if (next.isEmpty()) {
      lastRound = Optional.of(now);
      found = 0;
      next = Optional.of(Scan.all(Keys.DEDUP_EXPIRY));
    }
    reading = true;
    read(PAGES_MAX);
  }

  private void read(int pages) {
    loop.onResult(
        store.scan(next.orElseThrow().limit(PAGE)),
        page -> took(page, pages - 1),
        failure -> reading = false);
  }

  private void took(Page page, int pagesLeft) {
    found += page.entries().size();
    next = page.next();
    if (next.isPresent() && pagesLeft > 0 && leads.getAsBoolean()) {
      read(pagesLeft);
      return;
    }
    reading = false;
    if (next.isEmpty()) {
      count = found;
      counted = true;
      counts.dedupKeys.set(count);
      decide();
    }
  }

  /** Keys are accepted again only below nine tenths of the limit. */
  private void decide() {
    Room now = count >= Fullness.beyond(most)
        ? Room.NONE
        : count >= most || (room != Room.FOR_ALL && count >= most - most / 10)
            ? Room.BY_HAND
            : Room.FOR_ALL;
    if (!counted || writing || now == room || !leads.getAsBoolean()) {
      return;
    }
    writing = true;
    var record = new Fullness(now != Room.FOR_ALL, count, most);
    Commit.Builder commit = writes.commit().put(Keys.KEYS_FULL, Records.encode(record));
    writes.send(
        commit,
        revision -> wrote(now, revision),
        refused -> writing = false,
        notTaken -> writing = false);
  }

  private void wrote(Room now, long revision) {
    writing = false;
    known = Math.max(known, revision);
    if (now == Room.FOR_ALL) {
      LOG.info(
          "This namespace has {} idempotency keys: submits and triggers with a key are accepted again.",
          count);
    } else if (room == Room.FOR_ALL) {
      LOG.warn(
          "This namespace has {} idempotency keys, and the limit is {}: submits with a key or an id of their own and triggers for an instant are refused until keys expire. Shorten task.idempotencyWindow, raise task.idempotencyKeysMax, or submit without a key.",
          count,
          most);
    }
    room = now;
    decide();
  }
}
