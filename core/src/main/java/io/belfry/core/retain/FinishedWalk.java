package io.belfry.core.retain;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.PackKeys;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Pack;
import io.belfry.core.record.PackHead;
import io.belfry.core.record.Records;
import io.belfry.core.retain.Place.Finished;
import io.belfry.core.retain.Place.Spot;
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
 * A page of finished tasks, newest first: a merge of all lots and of packs in the order of their last ends.
 *
 * <pre>
 *   lots   ▪▪▪▪▪
 *   pack a     ▪▪▪▪▪▪│            opened
 *   pack b          ▪│▪▪▪▪▪       opened once everything newer than its last end has been returned
 *   pack c           │   ▪▪▪▪▪▪
 *   ◀── newer        └ the place is an end and an id, which stay valid wherever the task is stored by then
 * </pre>
 *
 * <p>Lots are read before heads, because tasks move from lots to packs. A pack holds tasks of one hour of the clock, so the packs
 * that can contain a place end in its hour. If there are more lots than a page may read, they are returned in runs before packs.
 *
 * <p>Below its place a page opens at most {@value #PACKS_MAX} packs and passes {@value #HEADS_MAX} heads. Reads above, to find packs that overlap
 * its place, do not count: otherwise a page would make no progress where there are many.
 *
 * <p>Threading: confined to the stages of one page.
 */
final class FinishedWalk {
  static final int PACKS_MAX = 16;
  static final int HEADS_MAX = 500;
  static final int LOT_PAGES_MAX = 8;
  private static final int FIRST_HEADS = 8;
  private static final int GROWTH = 8;
  private static final long HOUR = Duration.ofHours(1).toMillis();

  private record Found(Spot spot, Supplier<Optional<Task>> task) implements Comparable<Found> {
    @Override
    public int compareTo(Found other) {
      return spot.compareTo(other.spot);
    }
  }

  private record Head(String name, PackHead head) {}

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
  private String lastLot = "";
  /** Some tasks that ended before this were left in their pack, because the page seemed to have no room for them. */
  private long complete = Long.MIN_VALUE;

  private int lotPages;
  private int headsSeen;
  private int packsOpened;

  FinishedWalk(Store store, Executor executor, Query query, int limit) {
    this.store = store;
    this.executor = executor;
    this.query = query;
    this.limit = limit;
  }

  CompletionStage<Listing> run(Finished from) {
    place = from;
    last = from.below();
    Scan all = Scan.all(Keys.FRESH_HISTORY);
    Scan lots = from.to().isEmpty()
        ? all
        : new Scan(all.space(), all.from(), all.after(lot(from.to())).from(), all.limit());
    return readLots(from.from().isEmpty() ? lots : lots.after(lot(from.from())));
  }

  private static Key lot(String name) {
    return Key.of(Keys.FRESH_HISTORY, name);
  }

  private CompletionStage<Listing> readLots(Scan scan) {
    if (scan.isEmpty()) {
      return tookLots(false);
    }
    return store
        .scan(scan)
        .thenComposeAsync(
            page -> {
              page.entries().forEach(this::take);
              lotPages++;
              return page.next().isPresent() && lotPages < LOT_PAGES_MAX
                  ? readLots(page.next().get())
                  : tookLots(page.next().isPresent());
            },
            executor);
  }

  private void take(Entry lot) {
    lastLot = lot.key().text();
    List<Task> tasks =
        Legible.read(lot, each -> Records.segment(each.value()).tasks()).orElse(List.of());
    for (Task task : tasks) {
      if (query.matches(task)) {
        wait(new Spot(endOf(task), task.id().toString()), () -> Optional.of(task));
      }
    }
  }

  private static long endOf(Task task) {
    return task.ended().map(Instant::toEpochMilli).orElse(0L);
  }

  private void wait(Spot spot, Supplier<Optional<Task>> task) {
    if (spot.compareTo(place.below()) > 0) {
      waiting.add(new Found(spot, task));
    }
  }

  private CompletionStage<Listing> tookLots(boolean cut) {
    if (!cut && place.to().isEmpty()) {
      long newest = Math.min(
          place.below().end(), query.until().map(Instant::toEpochMilli).orElse(Long.MAX_VALUE));
      long oldest = query.since().map(Instant::toEpochMilli).orElse(0L);
      long above = newest > Long.MAX_VALUE - HOUR ? Long.MAX_VALUE : newest - newest % HOUR + HOUR;
      moreHeads = Optional.of(PackKeys.heads(oldest, above, FIRST_HEADS));
      return merge();
    }
    String to = cut ? lastLot : place.to();
    Spot packs = place.to().isEmpty() ? place.below() : place.packs();
    give(Long.MIN_VALUE);
    return waiting.isEmpty()
        ? end(new Finished(to, "", packs, packs))
        : end(new Finished(place.from(), to, last, packs));
  }

  /** Returns tasks that are newer than this, as long as there is room. */
  private void give(long above) {
    while (given.size() < limit
        && !waiting.isEmpty()
        && waiting.peek().spot.end() > above
        && waiting.peek().spot.end() >= complete) {
      Found next = waiting.remove();
      if (!next.spot.equals(last)) { // a task that moved between two reads was found twice
        last = next.spot;
        next.task.get().ifPresent(given::add);
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
        return end(below(given.size() == limit ? last : Spot.above(complete - 1)));
      }
      give(next.head.lastEnd());
      if (given.size() == limit) {
        return end(below(last));
      }
      if (next.head.lastEnd()
          < complete) { // there was room after all: a record could not be decoded
        return end(below(Spot.above(complete - 1)));
      }
      boolean beyond = next.head.lastEnd() < place.below().end();
      if (beyond && (packsOpened >= PACKS_MAX || headsSeen >= HEADS_MAX)) {
        return end(below(Spot.above(next.head.lastEnd())));
      }
      heads.remove();
      headsSeen += beyond ? 1 : 0;
      boolean reached = next.head.firstEnd() <= place.below().end();
      if (reached && query.mayMatch(next.head)) {
        packsOpened += beyond ? 1 : 0;
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
                Legible.read(entry, each -> Records.packHead(each.value()))
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
        .get(List.of(PackKeys.tasks(head.name)))
        .thenComposeAsync(
            entries -> {
              entries.forEach(entry -> Legible.read(entry, each -> Pack.of(each.value()))
                  .ifPresent(pack -> take(entry, pack)));
              return merge();
            },
            executor);
  }

  private void take(Entry entry, Pack pack) {
    int[] rows = IntStream.range(0, pack.count())
        .filter(row -> pack.end(row) <= place.below().end() && query.mayMatch(pack, row))
        .toArray();
    if (query.isAnsweredByColumns()) {
      long oldest = oldestOnPage(pack, rows);
      for (int row : rows) {
        if (pack.end(row) >= oldest) {
          Legible.read(entry, each -> pack.id(row))
              .ifPresent(id -> wait(
                  new Spot(pack.end(row), id.toString()),
                  () -> Legible.read(entry, each -> pack.task(row))));
        } else {
          complete = Math.max(complete, oldest);
        }
      }
      return;
    }
    for (int row : rows) {
      Legible.read(entry, each -> pack.task(row))
          .filter(query::matchesRest)
          .ifPresent(
              task -> wait(new Spot(pack.end(row), task.id().toString()), () -> Optional.of(task)));
    }
  }

  /** The end below which tasks are not on this page, because enough of the same pack come first; their ids are not decoded. */
  private long oldestOnPage(Pack pack, int[] rows) {
    long[] ends = IntStream.of(rows)
        .mapToLong(pack::end)
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
