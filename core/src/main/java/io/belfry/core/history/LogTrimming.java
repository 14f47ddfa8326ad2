package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.LogHead;
import io.belfry.core.record.Records;
import io.belfry.model.job.JobId;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Deletes logs: as long after their last line as their task is kept, and the oldest ones earlier while all together are too large.
 *
 * <pre>
 *   check ──▶ a page of heads ──▶ the jobs they belong to ──▶ delete what is due, commit by commit ──▶ the next page
 *                └─ round after round, each in about a minute; a round that finds too much determines the maximum age for the next,
 *                   which follows at once
 * </pre>
 *
 * <p>Heads are ordered by task id, and jobs keep their logs for different times: so each round visits all of them. They are not
 * many, because each has a minimum size, and their sum is limited. A check ends after its part of the round, but while
 * there is too much it goes on without a pause, one page or commit at a time.
 *
 * <p>Every deletion is guarded by the head's revision: a log that still grows is not cut off under its writer, and since every piece was
 * written together with the head, the head names all slots. Threading: confined to the leader's loop.
 */
final class LogTrimming {
  static final int HEADS_AT_ONCE = 1000;
  /** The size of a log besides its text: a head and the names of its pieces. */
  static final int WEIGHT_BESIDE = 512;

  private static final int WRITES_MAX = 100;
  private static final Duration ROUND = Duration.ofMinutes(1);
  /** The most pages per check while there is not too much. */
  private static final int PAGES_MAX = 100;

  private record Old(Entry entry, LogHead head) {
    long weight() {
      return head.bytes() + WEIGHT_BESIDE;
    }

    int writes() {
      return 1 + head.slots();
    }
  }

  private final Loop loop;
  private final Store store;
  private final TermWrites writes;
  private final RetainSettings settings;
  private final SkippedRecords passedOver;
  private final BooleanSupplier leads;
  private boolean busy;
  private Optional<Scan> next = Optional.empty();
  /** The logs that this round has left in place. */
  private AgeHistogram left = new AgeHistogram();
  /** The maximum ages determined by the previous round, counted from its end. */
  private AgeHistogram.Cut cut = AgeHistogram.Cut.NONE;

  private Instant cutFrom = Instant.EPOCH;
  private long surplus;
  private int pages;
  private int pagesBefore = Integer.MAX_VALUE; // a new leader does not know how many there are
  private int pagesLeft;
  private boolean deleted;

  LogTrimming(
      Loop loop,
      Store store,
      TermWrites writes,
      RetainSettings settings,
      SkippedRecords passedOver,
      BooleanSupplier leads) {
    this.loop = loop;
    this.store = store;
    this.writes = writes;
    this.settings = settings;
    this.passedOver = passedOver;
    this.leads = leads;
  }

  void look() {
    if (!busy && leads.getAsBoolean()) {
      busy = true;
      long checks = Math.max(1, ROUND.dividedBy(settings.trimEvery()));
      pagesLeft = Math.clamp(Math.max(pages, pagesBefore) / checks + 1, 1, PAGES_MAX);
      read();
    }
  }

  private void read() {
    Scan scan = next.orElseGet(() -> Scan.all(Keys.LOG_HEADS)).limit(HEADS_AT_ONCE);
    loop.onResult(store.scan(scan), this::took, failure -> busy = false);
  }

  private void took(Page page) {
    Deque<Old> heads = new ArrayDeque<>();
    var jobs = new LinkedHashSet<Key>();
    for (Entry entry : page.entries()) {
      passedOver.read(entry, each -> Records.logHead(each.value())).ifPresent(head -> {
        heads.add(new Old(entry, head));
        head.task().jobId().map(Keys::job).ifPresent(jobs::add);
      });
    }
    next = page.next();
    pages++;
    pagesLeft--;
    if (jobs.isEmpty()) {
      delete(due(heads, Map.of()));
      return;
    }
    loop.onResult(
        store.get(jobs),
        found -> {
          Map<JobId, Duration> kept = new HashMap<>();
          found.forEach(entry -> passedOver
              .read(entry, each -> Records.job(each.value()))
              .ifPresent(job -> kept.put(job.id(), job.retain())));
          delete(due(heads, kept));
        },
        failure -> busy = false);
  }

  private Deque<Old> due(Deque<Old> heads, Map<JobId, Duration> kept) {
    Instant now = loop.time().wall();
    var due = new ArrayDeque<Old>();
    for (Old old : heads) {
      Duration keep = old.head.task().jobId().map(kept::get).orElse(settings.logs());
      if (!old.head.last().plus(keep).isAfter(now) || isTooOld(old)) {
        due.add(old);
      } else {
        left.add(Duration.between(old.head.last(), now).toMillis(), old.weight());
      }
    }
    return due;
  }

  private boolean isTooOld(Old old) {
    long age = Duration.between(old.head.last(), cutFrom).toMillis();
    if (age >= cut.all()) {
      return true;
    }
    if (age >= cut.some() && surplus > 0) {
      surplus -= old.weight();
      return true;
    }
    return false;
  }

  /** Deletes as many as fit into a commit, then the rest. A refused log still grows, and is found again in the next round. */
  private void delete(Deque<Old> due) {
    if (!leads.getAsBoolean()) {
      return;
    }
    if (due.isEmpty()) {
      goOn();
      return;
    }
    Commit.Builder commit = writes.commit();
    for (int count = 0; !due.isEmpty() && count + due.element().writes() <= WRITES_MAX; ) {
      Old old = due.remove();
      count += old.writes();
      commit.unchanged(old.entry).delete(old.entry.key());
      for (int slot = 0; slot < old.head.slots(); slot++) {
        commit.delete(Keys.logPiece(old.head.task(), old.head.token(), slot));
      }
    }
    writes.send(
        commit,
        done -> {
          deleted = true;
          delete(due);
        },
        refused -> delete(due));
  }

  private void goOn() {
    boolean goesOn = next.isPresent()
        ? pagesLeft > 0 || isTooMuch()
        : isTooMuch() && (deleted || cut.isNothing()); // otherwise all of it still grows
    if (next.isEmpty()) {
      endRound();
    }
    if (goesOn) {
      read();
    } else {
      busy = false;
    }
  }

  /** Whether logs are too large, or a round is reducing them. */
  private boolean isTooMuch() {
    return !cut.isNothing() || left.total() > settings.logBytes();
  }

  /** Ends the round. If there is too much, the next round deletes more than needed, so that not every round has to. */
  private void endRound() {
    cut = left.total() > settings.logBytes()
        ? left.cut(settings.logBytes() - settings.logBytes() / 8)
        : AgeHistogram.Cut.NONE;
    surplus = cut.weight();
    cutFrom = loop.time().wall();
    left = new AgeHistogram();
    pagesBefore = pages;
    pages = 0;
    deleted = false;
  }
}
