package io.belfry.core.retain;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Legible;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/**
 * Forgets logs: as long after their last line as their task is kept, and the oldest ones earlier while all together weigh too much.
 *
 * <pre>
 *   look ──▶ a page of heads ──▶ the jobs they belong to ──▶ delete what is due, a commit at a time
 *                └─ round after round; at the end of a round, if the sum is beyond the bound: the oldest go
 * </pre>
 *
 * <p>Every deletion is guarded by the head's revision: a log that still grows is not cut off under its writer. Threading: confined to
 * the leader's loop.
 */
final class LogTrimming {
  static final int HEADS_AT_ONCE = 500;
  private static final int OLDEST_MAX = 1000;
  private static final int WRITES_MAX = 100;
  private static final Duration PAUSE = Duration.ofMillis(50);

  private record Old(Entry entry, LogHead head) {}

  private final Loop loop;
  private final Store store;
  private final TermWrites writes;
  private final RetainSettings settings;
  private final long bytesMax;
  private final BooleanSupplier leads;
  private boolean busy;
  private Optional<Scan> next = Optional.empty();
  private long bytes;
  /** The oldest of this round, the youngest of them first. */
  private final PriorityQueue<Old> oldest =
      new PriorityQueue<>(Comparator.comparing((Old old) -> old.head.last()).reversed());

  LogTrimming(
      Loop loop,
      Store store,
      TermWrites writes,
      RetainSettings settings,
      long bytesMax,
      BooleanSupplier leads) {
    this.loop = loop;
    this.store = store;
    this.writes = writes;
    this.settings = settings;
    this.bytesMax = bytesMax;
    this.leads = leads;
  }

  void look() {
    if (!busy && leads.getAsBoolean()) {
      busy = true;
      Scan scan = next.orElseGet(() -> Scan.all(Keys.LOG_HEADS)).limit(HEADS_AT_ONCE);
      loop.hear(store.scan(scan), this::took, failure -> busy = false);
    }
  }

  private void took(Page page) {
    List<Old> heads = new ArrayList<>();
    var jobs = new LinkedHashSet<Key>();
    for (Entry entry : page.entries()) {
      Legible.read(entry, each -> Records.logHead(each.value())).ifPresent(head -> {
        heads.add(new Old(entry, head));
        head.task().jobId().map(Keys::job).ifPresent(jobs::add);
      });
    }
    next = page.next();
    if (jobs.isEmpty()) {
      sort(heads, Map.of());
      return;
    }
    loop.hear(
        store.get(jobs),
        found -> {
          Map<JobId, Duration> kept = new HashMap<>();
          found.forEach(entry -> Legible.read(entry, each -> Records.job(each.value()))
              .ifPresent(job -> kept.put(job.id(), job.retain())));
          sort(heads, kept);
        },
        failure -> busy = false);
  }

  private void sort(List<Old> heads, Map<JobId, Duration> kept) {
    Instant now = loop.time().wall();
    var due = new ArrayList<Old>();
    for (Old old : heads) {
      Duration keep = old.head.task().jobId().map(kept::get).orElse(settings.tasks());
      if (!old.head.last().plus(keep).isAfter(now)) {
        due.add(old);
      } else {
        bytes += old.head.bytes();
        oldest.add(old);
        if (oldest.size() > OLDEST_MAX) {
          oldest.remove();
        }
      }
    }
    if (next.isEmpty()) {
      due.addAll(tooMuch());
    }
    delete(due);
  }

  /** At the end of a round: the oldest, until the rest is within the bound. */
  private List<Old> tooMuch() {
    var byAge = new ArrayList<Old>();
    while (!oldest.isEmpty()) {
      byAge.addFirst(oldest.remove());
    }
    var gone = new ArrayList<Old>();
    for (Old old : byAge) {
      if (bytes <= bytesMax) {
        break;
      }
      bytes -= old.head.bytes();
      gone.add(old);
    }
    bytes = 0;
    return gone;
  }

  private void delete(List<Old> due) {
    if (due.isEmpty()) {
      busy = false;
      return;
    }
    Commit.Builder commit = writes.commit();
    int count = 0;
    int taken = 0;
    for (Old old : due) {
      int its = 1 + 2 * old.head.span();
      if (count + its > WRITES_MAX) {
        break;
      }
      count += its;
      taken++;
      commit.unchanged(old.entry).delete(old.entry.key());
      // All slots, not only those that the head names: a writer's last commit may have been ahead
      // of it.
      for (int slot = 0; slot < 2 * old.head.span(); slot++) {
        commit.delete(Keys.logPiece(old.head.task(), old.head.token(), slot));
      }
    }
    List<Old> rest = due.subList(taken, due.size());
    writes.send(commit, done -> goOn(rest), refused -> busy = false);
  }

  private void goOn(List<Old> rest) {
    var unused = loop.in(PAUSE, () -> {
      if (leads.getAsBoolean()) {
        delete(rest);
      }
    });
  }
}
