package io.belfry.core.retain;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Pack;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

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

  private final Store store;
  private final Executor executor;

  /**
   * The history of one namespace.
   *
   * @param executor where records are decoded, some milliseconds at a time
   */
  public History(Store store, Executor executor) {
    this.store = store;
    this.executor = executor;
  }

  /** The task of this id, as it stands or as it ended. */
  public CompletionStage<Optional<Task>> find(TaskId id) {
    return new Search(store, executor, id).run();
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
   * @param job empty for tasks that belong to none
   */
  public CompletionStage<Rollup> stats(Optional<JobId> job, Instant from, Instant to) {
    Scan scan = Keys.rollups(job.map(JobId::value).orElse(Pack.NO_JOB), hour(from), hour(to));
    return add(scan, new Rollup());
  }

  private CompletionStage<Rollup> add(Scan scan, Rollup sum) {
    if (scan.isEmpty()) {
      return CompletableFuture.completedStage(sum);
    }
    return store
        .scan(scan)
        .thenComposeAsync(
            page -> {
              for (Entry entry : page.entries()) {
                Legible.read(entry, each -> Records.rollup(each.value())).ifPresent(sum::add);
              }
              return page.next()
                  .map(next -> add(next, sum))
                  .orElseGet(() -> CompletableFuture.completedStage(sum));
            },
            executor);
  }

  private static long hour(Instant at) {
    return Math.max(0, Duration.between(Instant.EPOCH, at).toHours());
  }
}
