package io.belfry.core.history;

import io.belfry.core.history.Place.Finished;
import io.belfry.core.history.Place.Spot;
import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.core.record.HistorySegment;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.SegmentHead;
import io.belfry.model.task.Task;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Limits;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A page of finished tasks, newest first: a merge of all batches and of segments in the order of their last ends.
 *
 * <pre>
 *   batches   ▪▪▪▪▪
 *   segment a     ▪▪▪▪▪▪│            opened
 *   segment b          ▪│▪▪▪▪▪       opened once everything newer than its last end has been returned
 *   segment c           │   ▪▪▪▪▪▪
 *   ◀── newer        └ the place is an end and an id, which stay valid wherever the task is stored by then
 * </pre>
 *
 * <p>Batches are read before heads, because tasks move from batches to segments. A segment holds tasks of one hour of the clock, so the segments
 * that can contain a place end in its hour. If there are more batches than a page may read, they are returned in runs before segments.
 *
 * <p>Below its place a page opens at most {@value #SEGMENTS_MAX} segments and passes {@value #HEADS_MAX} heads. Reads above, to find segments that overlap
 * its place, do not count: otherwise a page would make no progress where there are many.
 *
 * <p>Threading: confined to the stages of one page.
 */
final class FinishedWalk {
  static final int SEGMENTS_MAX = 16;
  static final int HEADS_MAX = 500;
  static final int BATCH_PAGES_MAX = 8;
  private static final int FIRST_HEADS = 8;
  private static final int GROWTH = 8;
  private static final long HOUR = Duration.ofHours(1).toMillis();

  /**
   * A task that may come next.
   *
   * @param bytes about what it weighs as it is stored
   */
  private record Found(Spot spot, int bytes, Supplier<Optional<Task>> task)
      implements Comparable<Found> {
    @Override
    public int compareTo(Found other) {
      return spot.compareTo(other.spot);
    }
  }

  private record Head(String name, SegmentHead head) {}

  private final Store store;
  private final Executor executor;
  private final Query query;
  private final int limit;
  private final PriorityQueue<Found> waiting = new PriorityQueue<>();
  private final List<Task> given = new ArrayList<>();
  private final Deque<Head> heads = new ArrayDeque<>();
  private Optional<Scan> moreHeads = Optional.empty();
  private Finished place = Finished.START;
  private Spot last = Spot.TOP;
  private String lastBatch = "";
  /** Some tasks that ended before this were left in their segment, because the page seemed to have no room for them. */
  private long complete = Long.MIN_VALUE;

  private int batchPages;
  private int headsSeen;
  private int segmentsOpened;
  private long bytes;

  /**
   * A page, or the rest of one.
   *
   * @param bytes what the page holds already
   */
  FinishedWalk(Store store, Executor executor, Query query, int limit, long bytes) {
    this.bytes = bytes;
    this.store = store;
    this.executor = executor;
    this.query = query;
    this.limit = limit;
  }

  CompletionStage<Listing> run(Finished from) {
    place = from;
    last = from.below();
    Scan all = Scan.all(Keys.FRESH_HISTORY);
    Scan batches = from.to().isEmpty()
        ? all
        : new Scan(all.space(), all.from(), all.after(batch(from.to())).from(), all.limit());
    return readBatches(from.from().isEmpty() ? batches : batches.after(batch(from.from())));
  }

  private static Key batch(String name) {
    return Key.of(Keys.FRESH_HISTORY, name);
  }

  private CompletionStage<Listing> readBatches(Scan scan) {
    if (scan.isEmpty()) {
      return tookBatches(false);
    }
    return store
        .scan(scan)
        .thenComposeAsync(
            page -> {
              page.entries().forEach(this::take);
              batchPages++;
              return page.next().isPresent() && batchPages < BATCH_PAGES_MAX
                  ? readBatches(page.next().get())
                  : tookBatches(page.next().isPresent());
            },
            executor);
  }

  private void take(Entry batch) {
    lastBatch = batch.key().text();
    List<Task> tasks = SafeDecoder.read(
            batch, each -> Records.endedBatch(each.value()).tasks())
        .orElse(List.of());
    for (Task task : tasks) {
      if (query.matches(task)) {
        wait(
            new Spot(endOf(task), task.id().toString()),
            batch.value().length / tasks.size(),
            () -> Optional.of(task));
      }
    }
  }

  private static long endOf(Task task) {
    return task.ended().map(Instant::toEpochMilli).orElse(0L);
  }

  private void wait(Spot spot, int weight, Supplier<Optional<Task>> task) {
    if (spot.compareTo(place.below()) > 0) {
      waiting.add(new Found(spot, weight, task));
    }
  }

  private boolean isFull() {
    return given.size() >= limit || bytes >= History.PAGE_BYTES_MAX;
  }

  private CompletionStage<Listing> tookBatches(boolean cut) {
    if (!cut && place.to().isEmpty()) {
      long newest = Math.min(
          place.below().end(), query.until().map(Instant::toEpochMilli).orElse(Long.MAX_VALUE));
      long oldest = query.since().map(Instant::toEpochMilli).orElse(0L);
      long above = newest > Long.MAX_VALUE - HOUR ? Long.MAX_VALUE : newest - newest % HOUR + HOUR;
      moreHeads = Optional.of(SegmentKeys.heads(oldest, above, FIRST_HEADS));
      return merge();
    }
    String to = cut ? lastBatch : place.to();
    Spot segments = place.to().isEmpty() ? place.below() : place.segments();
    give(Long.MIN_VALUE);
    return waiting.isEmpty()
        ? end(new Finished(to, "", segments, segments))
        : end(new Finished(place.from(), to, last, segments));
  }

  /** Returns tasks that are newer than this, as long as there is room. */
  private void give(long above) {
    while (!isFull()
        && !waiting.isEmpty()
        && waiting.peek().spot.end() > above
        && waiting.peek().spot.end() >= complete) {
      Found next = waiting.remove();
      if (!next.spot.equals(last)) { // a task that moved between two reads was found twice
        last = next.spot;
        next.task.get().ifPresent(task -> {
          given.add(task);
          bytes += next.bytes;
        });
      }
    }
  }

  private CompletionStage<Listing> merge() {
    while (true) {
      Head next = heads.peek();
      if (next == null && moreHeads.isPresent()) {
        return readHeads(moreHeads.get());
      }
      if (next == null) {
        give(Long.MIN_VALUE);
        if (waiting.isEmpty() && complete == Long.MIN_VALUE) {
          return end(null);
        }
        return end(below(isFull() ? last : Spot.above(complete - 1)));
      }
      give(next.head.lastEnd());
      if (isFull()) {
        return end(below(last));
      }
      if (next.head.lastEnd()
          < complete) { // there was room after all: a record could not be decoded
        return end(below(Spot.above(complete - 1)));
      }
      boolean beyond = next.head.lastEnd() < place.below().end();
      if (beyond && (segmentsOpened >= SEGMENTS_MAX || headsSeen >= HEADS_MAX)) {
        return end(below(Spot.above(next.head.lastEnd())));
      }
      heads.remove();
      headsSeen += beyond ? 1 : 0;
      boolean reached = next.head.firstEnd() <= place.below().end();
      if (reached && query.mayMatch(next.head)) {
        segmentsOpened += beyond ? 1 : 0;
        return open(next);
      }
    }
  }

  private CompletionStage<Listing> readHeads(Scan scan) {
    return store
        .scan(scan)
        .thenComposeAsync(
            page -> {
              for (Entry entry : page.entries()) {
                SafeDecoder.read(entry, each -> Records.segmentHead(each.value()))
                    .ifPresent(head -> heads.add(new Head(entry.key().text(), head)));
              }
              moreHeads = page.next()
                  .map(
                      next -> next.limit(Math.min(Limits.SCAN_ENTRIES_MAX, GROWTH * scan.limit())));
              return merge();
            },
            executor);
  }

  private CompletionStage<Listing> open(Head head) {
    return store
        .get(List.of(SegmentKeys.tasks(head.name)))
        .thenComposeAsync(
            entries -> {
              entries.forEach(
                  entry -> SafeDecoder.read(entry, each -> HistorySegment.of(each.value()))
                      .ifPresent(segment -> take(entry, segment)));
              return merge();
            },
            executor);
  }

  private void take(Entry entry, HistorySegment segment) {
    int[] rows = IntStream.range(0, segment.count())
        .filter(row -> segment.end(row) <= place.below().end() && query.mayMatch(segment, row))
        .toArray();
    if (query.isAnsweredByColumns()) {
      long oldest = oldestOnPage(segment, rows);
      for (int row : rows) {
        if (segment.end(row) >= oldest) {
          SafeDecoder.read(entry, each -> segment.id(row))
              .ifPresent(id -> wait(
                  new Spot(segment.end(row), id.toString()),
                  segment.bytes(row),
                  () -> SafeDecoder.read(entry, each -> segment.task(row))));
        } else {
          complete = Math.max(complete, oldest);
        }
      }
      return;
    }
    for (int row : rows) {
      SafeDecoder.read(entry, each -> segment.task(row))
          .filter(query::matchesRest)
          .ifPresent(task -> wait(
              new Spot(segment.end(row), task.id().toString()),
              segment.bytes(row),
              () -> Optional.of(task)));
    }
  }

  /** The end below which tasks are not on this page, because enough of the same segment come first; their ids are not decoded. */
  private long oldestOnPage(HistorySegment segment, int[] rows) {
    long[] ends = IntStream.of(rows)
        .mapToLong(segment::end)
        .filter(end -> end < place.below().end())
        .sorted()
        .toArray();
    int room = limit - given.size();
    return ends.length <= room ? Long.MIN_VALUE : ends[ends.length - room];
  }

  private Finished below(Spot spot) {
    return new Finished(place.from(), place.to(), spot, spot);
  }

  private CompletionStage<Listing> end(@Nullable Finished next) {
    return CompletableFuture.completedStage(
        new Listing(given, Optional.ofNullable(next).map(Place::encode)));
  }
}
