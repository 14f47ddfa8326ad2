package io.belfry.core.retain;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.PackKeys;
import io.belfry.core.record.DamagedRecordException;
import io.belfry.core.record.Pack;
import io.belfry.core.record.PackCount;
import io.belfry.core.record.Records;
import io.belfry.core.record.Rollup;
import io.belfry.core.record.RollupBatch;
import io.belfry.core.record.Segment;
import io.belfry.core.record.Slim;
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
 * One fold in preparation: lots go in, one commit comes out, within the limits of every engine.
 *
 * <pre>
 *   guards   fence + debts + lots + rollups          ≤ 2 + {@value #LOTS_AND_ROLLUPS_MAX}
 *   writes   lots + rollups + batch + 4 for each pack ≤ 1 + {@value #LOTS_AND_ROLLUPS_MAX} + 4 × {@value #PACKS_MAX}
 *   bytes    the content of the lots, three bytes a task, and the batch
 * </pre>
 *
 * <p>The rollups with the most tasks are added to the stored ones. Those of all other jobs go into one batch, which {@link Rolling}
 * adds later: so a fold costs the same whether its tasks belong to ten jobs or to thousands.
 *
 * <p>A pack holds tasks that ended within one hour and have the same retention, so that it can be deleted as a whole.
 * Tasks of jobs that keep only their last tasks go into packs of their own, which can be deleted earlier. Tasks that do not
 * fit stay behind in their lot.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class Draft {
  private static final Logger LOG = LoggerFactory.getLogger(Draft.class);
  static final int LOTS_AND_ROLLUPS_MAX = 80;
  static final int LOTS_MAX = 60;
  static final int PACKS_MAX = 7;
  /** Lots and packs are the same tasks; a single lot may be larger. */
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
      return !job.equals(Pack.NO_JOB) && !job.equals(Keys.ALL_JOBS);
    }
  }

  /** How long tasks are kept, and how many of the last if not all. */
  record Keep(Duration time, Optional<Integer> last) {}

  private record Shelf(long hour, Duration keep, boolean counted) {}

  private record Member(Task task, Pack.Row row, Sheet sheet) {}

  private static final class Lot {
    final Entry entry;
    final Segment segment;
    final List<Member> members = new ArrayList<>();
    final List<Task> rest = new ArrayList<>();

    Lot(Entry entry, Segment segment) {
      this.entry = entry;
      this.segment = segment;
    }
  }

  private final Debts debts;
  private final Map<String, Keep> keeps;
  private final boolean behind;
  private final Consumer<Commit.Builder> asJudged;
  private final List<Lot> lots = new ArrayList<>();
  /** The rollups with their numbers of tasks. */
  private final Map<Sheet, Integer> sheets = new LinkedHashMap<>();

  private final Map<Shelf, List<Pack.Row>> shelves = new LinkedHashMap<>();
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
  Draft(Debts debts, Map<String, Keep> keeps, boolean behind) {
    this.debts = debts;
    this.keeps = keeps;
    this.behind = behind;
    this.asJudged = debts.asOfNow();
  }

  /** Adds a lot, or as much of it as fits. False: no more fits. */
  boolean add(Entry entry) throws DamagedRecordException {
    if (lots.size() >= LOTS_MAX) {
      return false;
    }
    var lot = new Lot(entry, Records.segment(entry.value()));
    if (!lot.segment.followed() && debts.owes(entry, lot.segment)) {
      return true; // stays unfolded until its follow-up jobs are started
    }
    for (Task task : lot.segment.tasks()) {
      Pack.Row row = row(task);
      var sheet = new Sheet(row.job(), Math.max(0, row.end()) / HOUR);
      int more = weight(sheet) + weight(sheet.ofAll());
      if (batchBytes + more <= BATCH_BYTES_MAX || (lots.isEmpty() && lot.members.isEmpty())) {
        batchBytes += more;
        sheets.merge(sheet, 1, Integer::sum);
        sheets.merge(sheet.ofAll(), 1, Integer::sum);
        lot.members.add(new Member(task, row, sheet));
      } else {
        lot.rest.add(task);
      }
    }
    lots.add(lot);
    return lot.rest.isEmpty();
  }

  private int weight(Sheet sheet) {
    return COUNTED_BYTES + (sheets.containsKey(sheet) ? 0 : SHEET_BYTES + 3 * sheet.job.length());
  }

  private static Pack.Row row(Task task) {
    Pack.Row row = Pack.Row.of(task);
    return row.bytes().length <= TASK_BYTES_MAX ? row : Pack.Row.of(Slim.of(task));
  }

  boolean isEmpty() {
    return lots.isEmpty();
  }

  /** Tasks moved by the commit; known once they are sorted. */
  int tasks() {
    return tasks;
  }

  /** Rollups dropped because folding is behind; known once the commit is built. */
  int dropped() {
    return dropped;
  }

  /** The lots, as they were read. */
  List<Entry> entries() {
    return lots.stream().map(lot -> lot.entry).toList();
  }

  /** The keys to be read before the commit can be built: job definitions for the retention, and rollups to add to. */
  Set<Key> questions() {
    direct = sheets.entrySet().stream()
        .sorted(Map.Entry.<Sheet, Integer>comparingByValue().reversed())
        .limit(LOTS_AND_ROLLUPS_MAX - lots.size())
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

  /** Assigns every task to a pack. */
  void sort(Map<Key, Entry> answers, Duration keepByDefault) {
    for (Lot lot : lots) {
      for (Member member : lot.members) {
        Keep keep = keeps.computeIfAbsent(
            member.sheet.job,
            job -> keep(job, answers).orElse(new Keep(keepByDefault, Optional.empty())));
        var shelf = new Shelf(member.sheet.hour, keep.time, keep.last.isPresent());
        if (shelves.size() == PACKS_MAX && !shelves.containsKey(shelf)) {
          lot.rest.add(member.task);
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
    if (job.equals(Pack.NO_JOB)) {
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
    for (Lot lot : lots) {
      commit.unchanged(lot.entry);
      if (lot.rest.isEmpty()) {
        commit.delete(lot.entry.key());
      } else {
        commit.put(lot.entry.key(), Records.encode(new Segment(true, lot.rest)));
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
      byte[] pack = Pack.encode(rows);
      long lastEnd = rows.stream().mapToLong(Pack.Row::end).max().orElseThrow();
      long until = lastEnd + shelf.keep.toMillis();
      var head = Pack.head(rows, until, pack.length);
      String name = PackKeys.name(lastEnd, random.nextLong());
      commit
          .put(PackKeys.tasks(name), pack)
          .put(PackKeys.head(name), Records.encode(head))
          .put(PackKeys.expiry(until, name), new byte[0]);
      if (shelf.counted) {
        PackCount count = PackCount.of(rows, until, this::last);
        commit.put(PackKeys.count(name), Records.encode(count));
      }
    });
  }

  private int last(String job) {
    return Optional.ofNullable(keeps.get(job)).flatMap(Keep::last).orElseThrow();
  }
}
