package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.core.record.DamagedRecordException;
import io.belfry.core.record.EndedBatch;
import io.belfry.core.record.HistorySegment;
import io.belfry.core.record.Records;
import io.belfry.core.record.Rollup;
import io.belfry.core.record.RollupBatch;
import io.belfry.core.record.SegmentCount;
import io.belfry.core.record.WithoutPayload;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One fold in preparation: batches go in, one commit comes out, within the limits of every engine.
 *
 * <pre>
 *   guards   fence + debts + batches + rollups          ≤ 2 + {@value #BATCHES_AND_ROLLUPS_MAX}
 *   writes   batches + rollups + batch + 4 for each segment ≤ 1 + {@value #BATCHES_AND_ROLLUPS_MAX} + 4 × {@value #SEGMENTS_MAX}
 *   bytes    the content of the batches, three bytes a task, and the batch
 * </pre>
 *
 * <p>The rollups with the most tasks are added to the stored ones. Those of all other jobs go into one batch, which {@link RollupMerging}
 * adds later: so a fold costs the same whether its tasks belong to ten jobs or to thousands.
 *
 * <p>A segment holds tasks that ended within one hour and have the same retention, so that it can be deleted as a whole.
 * Tasks of jobs that keep only their last tasks go into segments of their own, which can be deleted earlier. Tasks that do not
 * fit stay behind in their batch.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class FoldBatch {
  private static final Logger LOG = LoggerFactory.getLogger(FoldBatch.class);
  static final int BATCHES_AND_ROLLUPS_MAX = 80;
  static final int BATCHES_MAX = 60;
  static final int SEGMENTS_MAX = 7;
  /** Batches and segments are the same tasks; a single batch may be larger. */
  static final int BYTES_MAX = 800 << 10;
  /** The largest batch of rollups, by an estimate that is too high. */
  private static final int BATCH_BYTES_MAX = 160 << 10;

  private static final int SHEET_BYTES = 24;
  private static final int COUNTED_BYTES = 12;
  /** A task that alone would fill a value loses its payload and data. */
  private static final int TASK_BYTES_MAX = 900 << 10;

  private static final long HOUR = Duration.ofHours(1).toMillis();

  private record Sheet(String job, long hour) {
    /** The sheet of all tasks of this hour, with or without a job. */
    Sheet ofAll() {
      return new Sheet(Keys.ALL_JOBS, hour);
    }

    boolean isOfJob() {
      return !job.equals(HistorySegment.NO_JOB) && !job.equals(Keys.ALL_JOBS);
    }
  }

  /** How long tasks are kept, and how many of the last if not all. */
  record Keep(Duration time, Optional<Integer> last) {}

  private record Shelf(long hour, Duration keep, boolean counted) {}

  private record PoolWorker(Task task, HistorySegment.Row row, Sheet sheet) {}

  private static final class Batch {
    final Entry entry;
    final EndedBatch endedBatch;
    final List<PoolWorker> members = new ArrayList<>();
    final List<Task> rest = new ArrayList<>();

    Batch(Entry entry, EndedBatch endedBatch) {
      this.entry = entry;
      this.endedBatch = endedBatch;
    }
  }

  private final FoldBlockers debts;
  private final Map<String, Keep> keeps;
  private final boolean behind;
  private final Consumer<Commit.Builder> asJudged;
  private final List<Batch> batches = new ArrayList<>();
  /** The rollups with their numbers of tasks. */
  private final Map<Sheet, Integer> sheets = new LinkedHashMap<>();

  private final Map<Shelf, List<HistorySegment.Row>> shelves = new LinkedHashMap<>();
  private final Map<Sheet, Rollup> counted = new LinkedHashMap<>();
  private Set<Sheet> direct = Set.of();
  private int batchBytes;
  private int tasks;
  private int dropped;

  /**
   * An empty draft.
   *
   * @param keeps cached retention by job; retention read for this draft is added
   * @param behind too many tasks wait to be folded: rollups of jobs that do not fit into the commit are dropped
   */
  FoldBatch(FoldBlockers debts, Map<String, Keep> keeps, boolean behind) {
    this.debts = debts;
    this.keeps = keeps;
    this.behind = behind;
    this.asJudged = debts.asOfNow();
  }

  /** Adds a batch, or as much of it as fits. False: no more fits. */
  boolean add(Entry entry) throws DamagedRecordException {
    if (batches.size() >= BATCHES_MAX) {
      return false;
    }
    var batch = new Batch(entry, Records.endedBatch(entry.value()));
    if (!batch.endedBatch.followed() && debts.owes(entry, batch.endedBatch)) {
      return true; // stays unfolded until its follow-up jobs are started
    }
    for (Task task : batch.endedBatch.tasks()) {
      HistorySegment.Row row = row(task);
      var sheet = new Sheet(row.job(), Math.max(0, row.end()) / HOUR);
      int more = weight(sheet) + weight(sheet.ofAll());
      if (batchBytes + more <= BATCH_BYTES_MAX || (batches.isEmpty() && batch.members.isEmpty())) {
        batchBytes += more;
        sheets.merge(sheet, 1, Integer::sum);
        sheets.merge(sheet.ofAll(), 1, Integer::sum);
        batch.members.add(new PoolWorker(task, row, sheet));
      } else {
        batch.rest.add(task);
      }
    }
    batches.add(batch);
    return batch.rest.isEmpty();
  }

  private int weight(Sheet sheet) {
    return COUNTED_BYTES + (sheets.containsKey(sheet) ? 0 : SHEET_BYTES + 3 * sheet.job.length());
  }

  private static HistorySegment.Row row(Task task) {
    HistorySegment.Row row = HistorySegment.Row.of(task);
    return row.bytes().length <= TASK_BYTES_MAX
        ? row
        : HistorySegment.Row.of(WithoutPayload.of(task));
  }

  boolean isEmpty() {
    return batches.isEmpty();
  }

  /** Tasks moved by the commit; known once they are sorted. */
  int tasks() {
    return tasks;
  }

  /** Rollups dropped because folding is behind; known once the commit is built. */
  int dropped() {
    return dropped;
  }

  /** The batches, as they were read. */
  List<Entry> entries() {
    return batches.stream().map(batch -> batch.entry).toList();
  }

  /** The keys to be read before the commit can be built: job definitions for the retention, and rollups to add to. */
  Set<Key> questions() {
    direct = sheets.entrySet().stream()
        .sorted(Map.Entry.<Sheet, Integer>comparingByValue().reversed())
        .limit(BATCHES_AND_ROLLUPS_MAX - batches.size())
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(LinkedHashSet::new));
    Set<Key> keys = new LinkedHashSet<>();
    direct.forEach(sheet -> keys.add(Keys.rollup(sheet.job, sheet.hour)));
    for (Sheet sheet : sheets.keySet()) {
      if (sheet.isOfJob() && !keeps.containsKey(sheet.job)) {
        keys.add(Keys.job(new JobId(sheet.job)));
      }
    }
    return keys;
  }

  /** Assigns every task to a segment. */
  void sort(Map<Key, Entry> answers, Duration keepByDefault) {
    for (Batch batch : batches) {
      for (PoolWorker member : batch.members) {
        Keep keep = keeps.computeIfAbsent(
            member.sheet.job,
            job -> keep(job, answers).orElse(new Keep(keepByDefault, Optional.empty())));
        var shelf = new Shelf(member.sheet.hour, keep.time, keep.last.isPresent());
        if (shelves.size() == SEGMENTS_MAX && !shelves.containsKey(shelf)) {
          batch.rest.add(member.task);
          continue;
        }
        shelves.computeIfAbsent(shelf, s -> new ArrayList<>()).add(member.row);
        counted.computeIfAbsent(member.sheet, s -> new Rollup()).add(member.task);
        counted.computeIfAbsent(member.sheet.ofAll(), s -> new Rollup()).add(member.task);
        tasks++;
      }
    }
  }

  private static Optional<Keep> keep(String job, Map<Key, Entry> answers) {
    if (job.equals(HistorySegment.NO_JOB)) {
      return Optional.empty();
    }
    Entry definition = answers.get(Keys.job(new JobId(job)));
    try {
      return Optional.ofNullable(definition)
          .map(entry -> Records.job(entry.value()))
          .map(defined -> new Keep(defined.retain(), defined.retainLast()));
    } catch (DamagedRecordException e) {
      return Optional.empty(); // its tasks are kept like those of a job that is gone
    }
  }

  private static void add(Entry before, Rollup more) {
    try {
      more.add(Records.rollup(before.value()));
    } catch (DamagedRecordException e) {
      LOG.warn(
          "{} cannot be decoded; the statistics of its hour start again from zero.",
          before.key(),
          e);
    }
  }

  /** Adds the whole fold to a commit. */
  void addTo(Commit.Builder commit, Map<Key, Entry> answers, RandomGenerator random) {
    asJudged.accept(commit);
    for (Batch batch : batches) {
      commit.unchanged(batch.entry);
      if (batch.rest.isEmpty()) {
        commit.delete(batch.entry.key());
      } else {
        commit.put(batch.entry.key(), Records.encode(new EndedBatch(true, batch.rest)));
      }
    }
    List<RollupBatch.Sheet> later = new ArrayList<>();
    counted.forEach((sheet, more) -> {
      if (!direct.contains(sheet)) {
        later.add(new RollupBatch.Sheet(sheet.job, sheet.hour, more));
        return;
      }
      Key key = Keys.rollup(sheet.job, sheet.hour);
      Entry before = answers.get(key);
      if (before == null) {
        commit.absent(key);
      } else {
        commit.unchanged(before);
        add(before, more);
      }
      commit.put(key, Records.encode(more));
    });
    if (behind) {
      dropped = later.size();
    } else if (!later.isEmpty()) {
      commit.put(Keys.rollupBatch(random.nextLong() >>> 1), Records.encode(new RollupBatch(later)));
    }
    shelves.forEach((shelf, rows) -> {
      byte[] segment = HistorySegment.encode(rows);
      long lastEnd = rows.stream().mapToLong(HistorySegment.Row::end).max().orElseThrow();
      long until = lastEnd + shelf.keep.toMillis();
      var head = HistorySegment.head(rows, until, segment.length);
      String name = SegmentKeys.name(lastEnd, random.nextLong());
      commit
          .put(SegmentKeys.tasks(name), segment)
          .put(SegmentKeys.head(name), Records.encode(head))
          .put(SegmentKeys.expiry(until, name), new byte[0]);
      if (shelf.counted) {
        SegmentCount count = SegmentCount.of(rows, until, this::last);
        commit.put(SegmentKeys.count(name), Records.encode(count));
      }
    });
  }

  private int last(String job) {
    return Optional.ofNullable(keeps.get(job)).flatMap(Keep::last).orElseThrow();
  }
}
