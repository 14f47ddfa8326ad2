package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.DamagedRecordException;
import io.belfry.core.record.HistorySegment;
import io.belfry.core.record.Records;
import io.belfry.core.record.SegmentHead;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Merges small segments of a past hour, so that searches and listings need not pass thousands of them.
 *
 * <pre>
 *   an hour ──▶ a page of heads ──▶ runs of small segments with the same expiry ──▶ one segment for each, one commit at a time
 *      ▲                └─ repeated until a pass finds nothing
 *      └── the next hour; the progress is stored for the next leader
 * </pre>
 *
 * <p>Merged segments stay in place for at least {@value #GRACE_MINUTES} minutes, marked in their heads. Merging moves tasks towards
 * newer ends, while readers go towards older ones: a reader that has passed the place of the large segment still finds its tasks in
 * the small ones. A reader that meets a task in both recognizes it by its end and id. Nothing else uses marked segments: their old expiry is
 * replaced by an earlier one in the same commit.
 *
 * <p>Segments of jobs that keep only their last tasks are not merged, because they are deleted one by one. Segments with tasks under a
 * rate limit are merged when no window reaches back to them: a new leader may take its time to read the starts.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class Merging {
  static final int GRACE_MINUTES = 10;
  /** Three writes for each small segment, and three for the merged one. */
  static final int SEGMENTS_AT_ONCE = 30;

  private static final int TASKS_MAX = 8000;
  private static final int HEADS_AT_ONCE = 500;
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long GRACE = Duration.ofMinutes(GRACE_MINUTES).toMillis();

  /** Which segments are merged, how long after their hour, and the key of the progress. */
  enum Part {
    MOST(GRACE),
    RATED(25 * HOUR);

    private final long after;

    Part(long after) {
      this.after = after;
    }

    private Key mark() {
      return this == MOST ? Keys.MERGED : Keys.MERGED_RATED;
    }
  }

  private record Small(Entry entry, SegmentHead head) {
    String name() {
      return entry.key().text();
    }
  }

  private final Loop loop;
  private final Store store;
  private final TermWrites writes;
  private final RetainSettings settings;
  private final Part part;
  private final SkippedRecords passedOver;
  private final BooleanSupplier leads;
  private boolean busy;
  /** The next hour, once it is known. */
  private OptionalLong hour = OptionalLong.empty();

  /** Whether this pass has merged anything. */
  private boolean found;
  /** Whether the hours since the stored progress contained segments. */
  private boolean unmarked;

  Merging(
      Loop loop,
      Store store,
      TermWrites writes,
      RetainSettings settings,
      Part part,
      SkippedRecords passedOver,
      BooleanSupplier leads) {
    this.loop = loop;
    this.store = store;
    this.writes = writes;
    this.settings = settings;
    this.part = part;
    this.passedOver = passedOver;
    this.leads = leads;
  }

  void look() {
    if (busy || !leads.getAsBoolean()) {
      return;
    }
    if (hour.isPresent()) {
      begin();
      return;
    }
    busy = true;
    loop.onResult(
        store.get(List.of(part.mark())),
        marks -> marks.stream()
            .findFirst()
            .filter(mark -> mark.value().length == Long.BYTES)
            .ifPresentOrElse(
                mark -> beginAt(ByteBuffer.wrap(mark.value()).getLong()), this::findFirst),
        failure -> busy = false);
  }

  /** Without stored progress, starts at the beginning of the retention, if there are segments. */
  private void findFirst() {
    loop.onResult(
        store.scan(Scan.all(Keys.SEGMENT_HEADS).limit(1)),
        page -> {
          long kept = page.entries().isEmpty() ? 0 : settings.tasks().toMillis();
          beginAt(Math.max(0, (now() - kept) / HOUR));
        },
        failure -> busy = false);
  }

  private void beginAt(long first) {
    hour = OptionalLong.of(first);
    busy = false;
    begin();
  }

  private long now() {
    return loop.time().wall().toEpochMilli();
  }

  /** Starts a pass over the hour, if it ended long enough ago. */
  private void begin() {
    long begins = hour.orElseThrow() * HOUR;
    if (leads.getAsBoolean() && isDue()) {
      busy = true;
      found = false;
      read(SegmentKeys.heads(begins, begins + HOUR - 1, HEADS_AT_ONCE));
    }
  }

  private boolean isDue() {
    return (hour.orElseThrow() + 1) * HOUR + part.after <= now();
  }

  private void read(Scan scan) {
    loop.onResult(store.scan(scan), this::took, failure -> busy = false);
  }

  private void took(Page page) {
    unmarked |= !page.entries().isEmpty();
    Map<Key, Small> small = new LinkedHashMap<>();
    for (Entry entry : page.entries()) {
      passedOver
          .read(entry, each -> Records.segmentHead(each.value()))
          .filter(this::isSmall)
          .ifPresent(
              head -> small.put(SegmentKeys.count(entry.key().text()), new Small(entry, head)));
    }
    if (small.size() < 2) {
      next(new ArrayDeque<>(), page);
      return;
    }
    loop.onResult(
        store.get(small.keySet()),
        counted -> {
          counted.forEach(count -> small.remove(count.key()));
          next(runs(small.values()), page);
        },
        failure -> busy = false);
  }

  private boolean isSmall(SegmentHead head) {
    return !head.isElsewhere()
        && (part == Part.RATED || head.rated() == 0)
        && head.bytes() <= FoldBatch.BYTES_MAX / 2
        && head.count() <= TASKS_MAX / 2
        && head.until() > now() + 3 * HOUR; // otherwise merging is not worthwhile
  }

  /** Groups segments that expire in the same hour, in order, as many as fit into one. */
  private static Deque<List<Small>> runs(Iterable<Small> small) {
    var runs = new ArrayDeque<List<Small>>();
    Map<Long, List<Small>> open = new LinkedHashMap<>();
    for (Small each : small) {
      List<Small> run = open.computeIfAbsent(each.head.until() / HOUR, until -> new ArrayList<>());
      if (!hasRoom(run, each)) {
        runs.add(List.copyOf(run));
        run.clear();
      }
      run.add(each);
    }
    runs.addAll(open.values());
    runs.removeIf(run -> run.size() < 2);
    return runs;
  }

  private static boolean hasRoom(List<Small> run, Small more) {
    int bytes = run.stream().mapToInt(each -> each.head.bytes()).sum();
    int tasks = run.stream().mapToInt(each -> each.head.count()).sum();
    return run.size() < SEGMENTS_AT_ONCE
        && bytes + more.head.bytes() <= FoldBatch.BYTES_MAX
        && tasks + more.head.count() <= TASKS_MAX;
  }

  private void next(Deque<List<Small>> runs, Page page) {
    if (!leads.getAsBoolean()) {
      return;
    }
    List<Small> run = runs.poll();
    if (run != null) {
      loop.onResult(
          store.get(run.stream().map(each -> SegmentKeys.tasks(each.name())).toList()),
          segments -> decode(
              new ArrayDeque<>(segments), new LinkedHashMap<>(), run, () -> next(runs, page)),
          failure -> busy = false);
    } else if (page.next().isPresent()) {
      read(page.next().get());
    } else if (found) {
      begin();
    } else {
      passed();
    }
  }

  /** Decodes one segment per step. A segment that cannot be decoded stays unmerged. */
  private void decode(
      Deque<Entry> segments,
      Map<String, List<HistorySegment.Row>> rows,
      List<Small> run,
      Runnable then) {
    Entry next = segments.poll();
    if (next == null) {
      commit(run.stream().filter(each -> rows.containsKey(each.name())).toList(), rows, then);
      return;
    }
    passedOver
        .read(next, each -> rows(HistorySegment.of(each.value())))
        .ifPresent(its -> rows.put(next.key().text(), its));
    loop.post(() -> decode(segments, rows, run, then));
  }

  private static List<HistorySegment.Row> rows(HistorySegment segment)
      throws DamagedRecordException {
    var rows = new ArrayList<HistorySegment.Row>();
    for (int row = 0; row < segment.count(); row++) {
      rows.add(segment.row(row));
    }
    return rows;
  }

  private void commit(List<Small> run, Map<String, List<HistorySegment.Row>> rows, Runnable then) {
    if (run.size() < 2) {
      then.run();
      return;
    }
    List<HistorySegment.Row> all = new ArrayList<>();
    // With the end, too: a deleted and recreated job may have two tasks with one id.
    Set<Map.Entry<String, Long>> ids = new HashSet<>();
    rows.values()
        .forEach(its ->
            its.stream().filter(row -> ids.add(Map.entry(row.id(), row.end()))).forEach(all::add));
    byte[] segment = HistorySegment.encode(all);
    long until = run.stream().mapToLong(each -> each.head.until()).max().orElseThrow();
    SegmentHead head = HistorySegment.head(all, until, segment.length)
        .withRated(run.stream().mapToInt(each -> each.head.rated()).sum());
    String name = SegmentKeys.name(head.lastEnd(), loop.random().nextLong());
    Commit.Builder commit = writes.commit();
    commit
        .put(SegmentKeys.tasks(name), segment)
        .put(SegmentKeys.head(name), Records.encode(head))
        .put(SegmentKeys.expiry(until, name), new byte[0]);
    for (Small each : run) {
      commit
          .unchanged(each.entry)
          .put(each.entry.key(), Records.encode(each.head.elsewhere()))
          .delete(SegmentKeys.expiry(each.head.until(), each.name()))
          .put(SegmentKeys.expiry(now() + GRACE, each.name()), SegmentDrop.ELSEWHERE);
    }
    writes.send(
        commit,
        done -> {
          found = true;
          then.run();
        },
        refused -> busy = false);
  }

  /** Stores the progress; empty hours need none. */
  private void passed() {
    long next = hour.orElseThrow() + 1;
    if (!unmarked) {
      beginAt(next);
      return;
    }
    Commit.Builder commit = writes.commit();
    commit.put(part.mark(), ByteBuffer.allocate(Long.BYTES).putLong(next).array());
    writes.send(
        commit,
        done -> {
          unmarked = false;
          beginAt(next);
        },
        refused -> busy = false);
  }
}
