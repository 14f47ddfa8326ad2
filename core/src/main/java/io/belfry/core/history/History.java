package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.core.record.Rollup;
import io.belfry.core.record.SafeDecoder;
import io.belfry.model.Check;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Entry;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.ObjLongConsumer;

/**
 * Finds and lists tasks, finished or not. It needs only the store, so any node can answer.
 *
 * <p>Guarantees of a listing: unfinished tasks come first, ordered by id, then finished ones, newest first. A task that
 * exists from the first page to the last is on one of them, in its state at that time. A task that ends meanwhile may be listed twice:
 * unfinished, and finished. A task created meanwhile may be missed. While the leader is behind with folding,
 * tasks that are not folded yet come before the rest, in several runs of which each is newest first.
 *
 * <p>A record that cannot be decoded is skipped and logged: only its content is missing from the answer.
 *
 * <p>Threading: every method from any thread; the work is done on the executor.
 */
public final class History {
  public static final int LIMIT_MAX = 1000;

  /** A page ends when its records weigh that much as they are stored: it is held in memory. */
  static final int PAGE_BYTES_MAX = 4 << 20;

  /** The most periods in one answer. */
  public static final int SLICES_MAX = 2000;

  private static final long HOUR_MAX = 0xffff_ff00L;

  private final Store store;
  private final Executor executor;
  private final SegmentFilters filters = new SegmentFilters(SegmentFilters.BYTES_MAX);

  /**
   * The history of one namespace.
   *
   * @param executor runs the decoding of records, some milliseconds at a time
   */
  public History(Store store, Executor executor) {
    this.store = store;
    this.executor = executor;
  }

  /** The memory used on this node for the cache of segment filters, in bytes. */
  public long cacheBytes() {
    return filters.bytes();
  }

  /** The task with this id, in its present or final state. */
  public CompletionStage<Optional<Task>> find(TaskId id) {
    return new Search(store, executor, filters, id).run();
  }

  /**
   * One page of the tasks that match.
   *
   * @param cursor from the previous page; empty for the first
   * @param limit the most tasks on the page; it ends earlier when they weigh 4 MiB
   */
  public CompletionStage<Listing> list(Query query, Optional<String> cursor, int limit) {
    Check.that(
        limit >= 1 && limit <= LIMIT_MAX,
        "limit",
        limit,
        "must be from 1 to " + LIMIT_MAX + ", because a page is held in memory",
        "Read several pages.");
    Place place = cursor.map(Place::decode).orElseGet(() -> Place.start(query));
    return switch (place) {
      case Place.Unfinished from -> new UnfinishedWalk(store, executor, query, limit).run(from);
      case Place.Finished from -> new FinishedWalk(store, executor, query, limit, 0).run(from);
    };
  }

  /**
   * Statistics of a job's folded tasks that ended from the hour of one instant to the hour of another, both included.
   *
   * @param job empty for all tasks, with or without a job
   */
  public CompletionStage<Rollup> stats(Optional<JobId> job, Instant from, Instant to) {
    return stats(sheet(job), hour(from), hour(to));
  }

  /** The same for one series of rollups. */
  CompletionStage<Rollup> stats(String sheet, long from, long to) {
    var sum = new Rollup();
    return each(Keys.rollups(sheet, from, to), (rollup, hour) -> sum.add(rollup))
        .thenApply(unused -> sum);
  }

  /**
   * Statistics by period: one for each period from that of one instant to that of another, both included, in order, also for periods
   * without tasks.
   *
   * @throws io.belfry.model.InvalidException if there are more than {@link #SLICES_MAX}
   */
  public CompletionStage<List<Slice>> stats(
      Optional<JobId> job, Instant from, Instant to, Bucket bucket) {
    Check.that(
        !to.isBefore(from),
        "to",
        to,
        "must not be before from (" + from + ")",
        "Swap them, or leave one out.");
    long first = hour(from) / bucket.hours();
    long last = hour(to) / bucket.hours();
    Check.that(
        last - first < SLICES_MAX,
        "from",
        from,
        "must be at most " + SLICES_MAX + " times one " + bucket
            + " before to, because all of them are returned at once",
        "Ask for a shorter time, or use longer periods.");
    var slices = new ArrayList<Slice>();
    for (long i = first; i <= last; i++) {
      slices.add(new Slice(Instant.EPOCH.plus(Duration.ofHours(i * bucket.hours())), new Rollup()));
    }
    Scan scan = Keys.rollups(sheet(job), first * bucket.hours(), (last + 1) * bucket.hours() - 1);
    return each(
            scan,
            (rollup, hour) ->
                slices.get((int) (hour / bucket.hours() - first)).figures().add(rollup))
        .thenApply(unused -> List.copyOf(slices));
  }

  private static String sheet(Optional<JobId> job) {
    return job.map(JobId::value).orElse(Keys.ALL_JOBS);
  }

  /** Visits every rollup once. */
  private CompletionStage<Boolean> each(Scan scan, ObjLongConsumer<Rollup> take) {
    if (scan.isEmpty()) {
      return CompletableFuture.completedStage(true);
    }
    return store
        .scan(scan)
        .thenComposeAsync(
            page -> {
              for (Entry entry : page.entries()) {
                SafeDecoder.read(entry, each -> Records.rollup(each.value()))
                    .ifPresent(rollup -> take.accept(rollup, Keys.rollupHour(entry.key())));
              }
              return page.next()
                  .map(next -> each(next, take))
                  .orElseGet(() -> CompletableFuture.completedStage(true));
            },
            executor);
  }

  /** Clamped, because keys count hours in 32 bits. */
  private static long hour(Instant at) {
    return Math.clamp(Math.floorDiv(at.getEpochSecond(), 3600), 0, HOUR_MAX);
  }
}
