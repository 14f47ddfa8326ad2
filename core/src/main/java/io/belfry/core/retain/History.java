package io.belfry.core.retain;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Records;
import io.belfry.core.record.Rollup;
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
 * Finds and lists tasks, finished or not. Asks only the store, so that any node answers.
 *
 * <p>What a listing promises. Unfinished tasks come first, in the order of their ids, then finished ones, newest first. A task that
 * exists from the first page to the last is on one of them, in the state that it had then. One that ends meanwhile may be seen twice:
 * unfinished, and finished. One that begins meanwhile may be missed. While so much has ended that the leader is behind with folding,
 * what is not folded yet comes before the rest, in several runs of which each is newest first.
 *
 * <p>A record that cannot be read is passed over, and said in the log: what was in it is missing from the answer, and nothing else is.
 *
 * <p>Threading: every method from any thread; the work is done on the executor.
 */
public final class History {
  public static final int LIMIT_MAX = 1000;

  /** Stretches of time that figures are told by at once. */
  public static final int SLICES_MAX = 2000;

  private static final long HOUR_MAX = 0xffff_ff00L;

  private final Store store;
  private final Executor executor;
  private final PackFilters filters = new PackFilters(PackFilters.BYTES_MAX);

  /**
   * The history of one namespace.
   *
   * @param executor where records are decoded, some milliseconds at a time
   */
  public History(Store store, Executor executor) {
    this.store = store;
    this.executor = executor;
  }

  /** What this node keeps in memory of filters of packs, in bytes. */
  public long cacheBytes() {
    return filters.bytes();
  }

  /** The task of this id, as it stands or as it ended. */
  public CompletionStage<Optional<Task>> find(TaskId id) {
    return new Search(store, executor, filters, id).run();
  }

  /**
   * One page of the tasks that match.
   *
   * @param cursor of the page before; empty for the first
   * @param limit tasks on the page at most
   */
  public CompletionStage<Listing> list(Query query, Optional<String> cursor, int limit) {
    Check.that(
        limit >= 1 && limit <= LIMIT_MAX,
        "limit",
        limit,
        "must be from 1 to " + LIMIT_MAX + ", because a page is held in memory",
        "Take several pages.");
    Place place = cursor.map(Place::decode).orElseGet(() -> Place.start(query));
    return switch (place) {
      case Place.Unfinished from -> new UnfinishedWalk(store, executor, query, limit).run(from);
      case Place.Finished from -> new FinishedWalk(store, executor, query, limit).run(from);
    };
  }

  /**
   * What became of a job's folded tasks that ended from the hour of one instant to the hour of another, both included.
   *
   * @param job empty for all tasks, whatever they belong to
   */
  public CompletionStage<Rollup> stats(Optional<JobId> job, Instant from, Instant to) {
    return stats(sheet(job), hour(from), hour(to));
  }

  /** The same by what a rollup is of. */
  CompletionStage<Rollup> stats(String sheet, long from, long to) {
    var sum = new Rollup();
    return each(Keys.rollups(sheet, from, to), (rollup, hour) -> sum.add(rollup))
        .thenApply(unused -> sum);
  }

  /**
   * The same by time: each stretch from that of one instant to that of another, both included, in their order, also those in which nothing
   * ended.
   *
   * @throws io.belfry.model.InvalidException if there are more than {@link #SLICES_MAX}
   */
  public CompletionStage<List<Slice>> stats(
      Optional<JobId> job, Instant from, Instant to, Bucket bucket) {
    Check.that(
        !to.isBefore(from),
        "to",
        to,
        "must not lie before from (" + from + ")",
        "Exchange them, or leave one out.");
    long first = hour(from) / bucket.hours();
    long last = hour(to) / bucket.hours();
    Check.that(
        last - first < SLICES_MAX,
        "from",
        from,
        "must lie at most " + SLICES_MAX + " times one " + bucket
            + " before to, because all of them are answered at once",
        "Ask for a shorter time, or by longer stretches.");
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

  /** Reads every rollup once. */
  private CompletionStage<Boolean> each(Scan scan, ObjLongConsumer<Rollup> take) {
    if (scan.isEmpty()) {
      return CompletableFuture.completedStage(true);
    }
    return store
        .scan(scan)
        .thenComposeAsync(
            page -> {
              for (Entry entry : page.entries()) {
                Legible.read(entry, each -> Records.rollup(each.value()))
                    .ifPresent(rollup -> take.accept(rollup, Keys.rollupHour(entry.key())));
              }
              return page.next()
                  .map(next -> each(next, take))
                  .orElseGet(() -> CompletableFuture.completedStage(true));
            },
            executor);
  }

  /** Keys count hours by 32 bits. */
  private static long hour(Instant at) {
    return Math.clamp(Math.floorDiv(at.getEpochSecond(), 3600), 0, HOUR_MAX);
  }
}
