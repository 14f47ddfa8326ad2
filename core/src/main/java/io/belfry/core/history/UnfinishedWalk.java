package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.Stored;
import io.belfry.model.task.Task;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * A page of unfinished tasks. Those of a job are adjacent, except for a few of jobs whose ids begin alike.
 *
 * <p>Threading: confined to the stages of one page.
 */
final class UnfinishedWalk {
  private static final int AT_ONCE = 250;
  static final int LOOKS_MAX = 5000;

  private final Store store;
  private final Executor executor;
  private final Query query;
  private final int limit;
  private final List<Task> found = new ArrayList<>();
  private int looks;
  private long bytes;

  UnfinishedWalk(Store store, Executor executor, Query query, int limit) {
    this.store = store;
    this.executor = executor;
    this.query = query;
    this.limit = limit;
  }

  CompletionStage<Listing> run(Place.Unfinished place) {
    // A job's task ids start with job! or job@
    Scan all = query
        .job()
        .map(job -> new Scan(
            Keys.TASKS,
            Key.of(Keys.TASKS, job.value() + "!").name(),
            Key.of(Keys.TASKS, job.value() + "A").name(),
            AT_ONCE))
        .orElseGet(() -> Scan.all(Keys.TASKS).limit(AT_ONCE));
    return read(place.after().isEmpty() ? all : all.after(Key.of(Keys.TASKS, place.after())));
  }

  private CompletionStage<Listing> read(Scan scan) {
    return store.scan(scan).thenComposeAsync(this::took, executor);
  }

  private CompletionStage<Listing> took(Page page) {
    for (Entry entry : page.entries()) {
      looks++;
      SafeDecoder.read(entry, Stored::task).filter(query::matches).ifPresent(task -> {
        found.add(task);
        bytes += entry.value().length;
      });
      if (found.size() == limit || bytes >= History.PAGE_BYTES_MAX || looks == LOOKS_MAX) {
        return end(Optional.of(new Place.Unfinished(entry.key().text())));
      }
    }
    return page.next().map(this::read).orElseGet(this::goOn);
  }

  /** Fills the rest of the page with finished tasks. */
  private CompletionStage<Listing> goOn() {
    if (!query.wantsFinished()) {
      return end(Optional.empty());
    }
    return new FinishedWalk(store, executor, query, limit - found.size(), bytes)
        .run(Place.Finished.START)
        .thenApply(finished -> {
          found.addAll(finished.tasks());
          return new Listing(found, finished.next());
        });
  }

  private CompletionStage<Listing> end(Optional<Place> next) {
    return CompletableFuture.completedStage(new Listing(found, next.map(Place::encode)));
  }
}
