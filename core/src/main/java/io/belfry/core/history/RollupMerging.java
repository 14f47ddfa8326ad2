package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.DamagedRecordException;
import io.belfry.core.record.Records;
import io.belfry.core.record.Rollup;
import io.belfry.core.record.RollupBatch;
import io.belfry.core.record.RollupProgress;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the batches of rollups that folding left to the rollup of each job.
 *
 * <pre>
 *   up to {@value #BATCHES_AT_ONCE} batches ──▶ one sum for each job and hour ──▶ {@value #SHEETS_AT_ONCE} rollups per commit, with the progress
 *                                                                  └─ the last one deletes the batches
 * </pre>
 *
 * <p>Batches wait until there are many, or for as long as batches wait: the more of them are added together, the fewer rollups are written per
 * task. The batches in progress and how far they are done are written in the same commit as the rollups. So a new leader continues where
 * the previous one was, and no task is counted twice.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class RollupMerging {
  static final int BATCHES_AT_ONCE = 50;
  static final int SHEETS_AT_ONCE = 50;

  private static final Logger LOG = LoggerFactory.getLogger(RollupMerging.class);

  private record Place(String job, long hour) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.comparing(Place::job).thenComparingLong(Place::hour);

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  private final Loop loop;
  private final Store store;
  private final TermWrites writes;
  private final RetainSettings settings;
  private final SkippedRecords passedOver;
  private final BooleanSupplier leads;
  private boolean busy;
  private Optional<Key> behind = Optional.empty();
  /** The monotonic time since which there have been too few. */
  private OptionalLong fewSince = OptionalLong.empty();

  RollupMerging(
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
      Scan all = Scan.all(Keys.ROLLUP_BATCHES).limit(BATCHES_AT_ONCE);
      loop.onResult(
          store.scan(behind.map(all::after).orElse(all)), this::took, failure -> busy = false);
    }
  }

  private void took(Page page) {
    boolean few = page.next().isEmpty();
    if (few && behind.isPresent()) {
      behind = Optional.empty();
      busy = false;
      look();
      return;
    }
    boolean wait = few && !haveWaited();
    if (page.entries().isEmpty() || wait) {
      fewSince = page.entries().isEmpty() ? OptionalLong.empty() : fewSince;
      busy = false;
      return;
    }
    fewSince = OptionalLong.empty();
    loop.onResult(
        store.get(List.of(Keys.ROLLED)),
        found -> found.stream()
            .findFirst()
            .flatMap(mark -> passedOver
                .read(mark, each -> Records.rollupProgress(each.value()))
                .map(progress -> Map.entry(mark, progress)))
            .ifPresentOrElse(
                begun -> resume(begun.getKey(), begun.getValue()),
                () -> add(
                    new ArrayDeque<>(page.entries()),
                    new ArrayList<>(),
                    new TreeMap<>(),
                    found.stream().findFirst(),
                    Optional.empty())),
        failure -> busy = false);
  }

  private boolean haveWaited() {
    long now = loop.time().nanos();
    if (fewSince.isEmpty()) {
      fewSince = OptionalLong.of(now);
    }
    return now - fewSince.getAsLong() >= settings.foldAfter().toNanos();
  }

  /** Continues what another leader began. */
  private void resume(Entry mark, RollupProgress progress) {
    List<Key> batches = progress.batches().stream()
        .map(name -> Key.of(Keys.ROLLUP_BATCHES, name))
        .toList();
    loop.onResult(
        store.get(batches),
        found -> add(
            new ArrayDeque<>(found),
            new ArrayList<>(),
            new TreeMap<>(),
            Optional.of(mark),
            Optional.of(new Place(progress.lastJob(), progress.lastHour()))),
        failure -> busy = false);
  }

  /** Adds one batch per step. A batch that cannot be decoded stays in place. */
  private void add(
      Deque<Entry> batches,
      List<Entry> added,
      NavigableMap<Place, Rollup> sums,
      Optional<Entry> mark,
      Optional<Place> done) {
    if (!leads.getAsBoolean()) {
      return;
    }
    Entry next = batches.poll();
    if (next == null) {
      apply(added, done.map(place -> sums.tailMap(place, false)).orElse(sums), mark);
      return;
    }
    behind = Optional.of(next.key());
    passedOver.read(next, each -> Records.rollupBatch(each.value())).ifPresent(batch -> {
      added.add(next);
      for (RollupBatch.Sheet sheet : batch.sheets()) {
        sums.computeIfAbsent(new Place(sheet.job(), sheet.hour()), place -> new Rollup())
            .add(sheet.rollup());
      }
    });
    loop.post(() -> add(batches, added, sums, mark, done));
  }

  private void apply(List<Entry> batches, NavigableMap<Place, Rollup> left, Optional<Entry> mark) {
    if (batches.isEmpty() && mark.isEmpty()) {
      busy = false;
      return;
    }
    Map<Key, Rollup> some = new LinkedHashMap<>();
    Place last = new Place("", 0);
    for (Map.Entry<Place, Rollup> each : left.entrySet()) {
      if (some.size() == SHEETS_AT_ONCE) {
        break;
      }
      last = each.getKey();
      some.put(Keys.rollup(last.job, last.hour), each.getValue());
    }
    Place reached = last;
    NavigableMap<Place, Rollup> rest = some.isEmpty() ? left : left.tailMap(reached, false);
    if (some.isEmpty()) {
      commit(batches, some, Map.of(), rest, reached, mark);
      return;
    }
    loop.onResult(
        store.get(some.keySet()),
        found -> {
          Map<Key, Entry> before = new HashMap<>();
          found.forEach(entry -> before.put(entry.key(), entry));
          commit(batches, some, before, rest, reached, mark);
        },
        failure -> busy = false);
  }

  private void commit(
      List<Entry> batches,
      Map<Key, Rollup> some,
      Map<Key, Entry> before,
      NavigableMap<Place, Rollup> rest,
      Place reached,
      Optional<Entry> mark) {
    Commit.Builder commit = writes.commit();
    mark.ifPresentOrElse(commit::unchanged, () -> commit.absent(Keys.ROLLED));
    some.forEach((key, more) -> {
      var sum = new Rollup();
      sum.add(more);
      Entry entry = before.get(key);
      if (entry == null) {
        commit.absent(key);
      } else {
        commit.unchanged(entry);
        add(entry, sum);
      }
      commit.put(key, Records.encode(sum));
    });
    boolean last = rest.isEmpty();
    byte[] progress = Records.encode(new RollupProgress(
        batches.stream().map(batch -> batch.key().text()).toList(), reached.job, reached.hour));
    if (last) {
      batches.forEach(batch -> commit.delete(batch.key()));
      commit.delete(Keys.ROLLED);
    } else {
      commit.put(Keys.ROLLED, progress);
    }
    writes.send(
        commit,
        revision -> {
          if (last) {
            busy = false;
            look();
          } else {
            apply(batches, rest, Optional.of(new Entry(Keys.ROLLED, progress, revision)));
          }
        },
        refused -> busy = false);
  }

  private static void add(Entry before, Rollup sum) {
    try {
      sum.add(Records.rollup(before.value()));
    } catch (DamagedRecordException e) {
      LOG.warn(
          "{} cannot be decoded; the statistics of its hour start again from zero.",
          before.key(),
          e);
    }
  }
}
