package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Records;
import io.belfry.core.record.Rollup;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Keeps the rollups of each job by the hour for {@link RetainSettings#HOURLY}, then by the day, and deletes expired ones.
 *
 * <pre>
 *   r/job/hour, page by page ──▶ hours of one job and day ── old ──────▶ one commit: their sum replaces the day's first hour, the others deleted
 *                                                         └─ expired ─▶ deleted
 * </pre>
 *
 * <p>A day has the key of its first hour. So readers need not distinguish them: their sum over whole days is the same before and
 * after. An hour that is written later, because its tasks were folded late, is added to its day by the next round.
 *
 * <p>Each commit is guarded by the revision of every rollup in it. If a late copy of it, or a concurrent write, makes a guard fail, the
 * next round reads the rollups again.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class RollupTrimming {
  static final int PAGE = 1000;
  static final int PAGES_MAX = 20;
  /** Each takes a guard and a write. */
  static final int AT_ONCE = 72;

  private static final int DAY_HOURS = 24;

  /** The hours of one job and day. */
  private record Day(String job, long number) {}

  private final Loop loop;
  private final Store store;
  private final TermWrites writes;
  private final RetainSettings settings;
  private final SkippedRecords passedOver;
  private final RetainCounts counts;
  private final BooleanSupplier leads;
  private boolean busy;
  private Optional<Scan> next = Optional.empty();
  private int pagesLeft;
  /** The last day on the previous page, which may continue. */
  private List<Entry> begun = new ArrayList<>();

  private Optional<Day> day = Optional.empty();
  private long found;
  private long foundBytes;

  RollupTrimming(
      Loop loop,
      Store store,
      TermWrites writes,
      RetainSettings settings,
      SkippedRecords passedOver,
      RetainCounts counts,
      BooleanSupplier leads) {
    this.loop = loop;
    this.store = store;
    this.writes = writes;
    this.settings = settings;
    this.passedOver = passedOver;
    this.counts = counts;
    this.leads = leads;
  }

  void look() {
    if (!busy && leads.getAsBoolean()) {
      busy = true;
      pagesLeft = PAGES_MAX;
      read();
    }
  }

  private void read() {
    pagesLeft--;
    Scan scan = next.orElseGet(() -> Scan.all(Keys.ROLLUPS)).limit(PAGE);
    loop.onResult(store.scan(scan), this::took, failure -> busy = false);
  }

  private void took(Page page) {
    List<Entry> over = new ArrayList<>();
    List<List<Entry>> days = new ArrayList<>();
    for (Entry entry : page.entries()) {
      Optional<Day> of = passedOver.read(entry, RollupTrimming::day);
      if (of.isPresent() && isOver(of.get(), Keys.rollupHour(entry.key()))) {
        over.add(entry);
      } else {
        found++;
        foundBytes += entry.key().name().length + entry.value().length;
        if (of.isPresent() && isOld(of.get())) {
          add(of.get(), entry, days);
        }
      }
    }
    next = page.next();
    if (next.isEmpty()) {
      endDay(days);
      counts.rollups.set(found);
      counts.rollupBytes.set(foundBytes);
      found = 0;
      foundBytes = 0;
    }
    send(commits(over, days));
  }

  private void add(Day of, Entry entry, List<List<Entry>> days) {
    if (!day.equals(Optional.of(of))) {
      endDay(days);
      day = Optional.of(of);
    }
    begun.add(entry);
  }

  /** Ends a day; one with a single hour needs no merging. */
  private void endDay(List<List<Entry>> days) {
    if (begun.size() > 1) {
      days.add(begun);
    }
    begun = new ArrayList<>();
    day = Optional.empty();
  }

  private static Day day(Entry entry) {
    String name = entry.key().text();
    return new Day(
        name.substring(0, name.lastIndexOf('/')), Keys.rollupHour(entry.key()) / DAY_HOURS);
  }

  private boolean isOld(Day of) {
    return isBefore((of.number + 1) * DAY_HOURS, RetainSettings.HOURLY);
  }

  /** Whether the rollup has expired; the first hour of an old day may stand for the whole day. */
  private boolean isOver(Day of, long hour) {
    long end = isOld(of) ? (of.number + 1) * DAY_HOURS : hour + 1;
    return isBefore(end, settings.rollups());
  }

  private boolean isBefore(long hour, Duration keep) {
    Instant at = Instant.EPOCH.plus(Duration.ofHours(hour));
    return !at.plus(keep).isAfter(loop.time().wall());
  }

  private Deque<Commit.Builder> commits(List<Entry> over, List<List<Entry>> days) {
    Deque<Commit.Builder> commits = new ArrayDeque<>();
    for (int from = 0; from < over.size(); from += AT_ONCE) {
      Commit.Builder commit = writes.commit();
      over.subList(from, Math.min(from + AT_ONCE, over.size()))
          .forEach(entry -> commit.unchanged(entry).delete(entry.key()));
      commits.add(commit);
    }
    int size = AT_ONCE;
    for (List<Entry> hours : days) {
      Optional<Rollup> sum = sum(hours);
      if (sum.isPresent()) {
        size += hours.size() + 1;
        if (size > AT_ONCE) {
          size = hours.size() + 1;
          commits.add(writes.commit());
        }
        addUp(hours, sum.get(), commits.getLast());
      }
    }
    return commits;
  }

  /** The sum of a day; empty if an hour cannot be decoded: then the day stays as it is. */
  private Optional<Rollup> sum(List<Entry> hours) {
    var sum = new Rollup();
    for (Entry hour : hours) {
      Optional<Rollup> one = passedOver.read(hour, each -> Records.rollup(each.value()));
      if (one.isEmpty()) {
        return Optional.empty();
      }
      sum.add(one.get());
    }
    return Optional.of(sum);
  }

  private static void addUp(List<Entry> hours, Rollup sum, Commit.Builder commit) {
    Day of = day(hours.getFirst());
    Key whole = Keys.rollup(of.job, of.number * DAY_HOURS);
    if (!hours.getFirst().key().equals(whole)) {
      commit.absent(whole);
    }
    for (Entry hour : hours) {
      commit.unchanged(hour);
      if (!hour.key().equals(whole)) {
        commit.delete(hour.key());
      }
    }
    commit.put(whole, Records.encode(sum));
  }

  /** Sends commits one after the other; what is refused, or does not fit into the engine, is left for the next round. */
  private void send(Deque<Commit.Builder> commits) {
    Commit.Builder commit = commits.poll();
    if (!leads.getAsBoolean()) {
      return;
    }
    if (commit == null) {
      if (next.isPresent() && pagesLeft > 0) {
        read();
      } else {
        busy = false;
      }
      return;
    }
    writes.send(commit, done -> send(commits), refused -> send(commits), notTaken -> send(commits));
  }
}
