package io.belfry.core.jobs;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.job.JobId;
import io.belfry.model.missed.SkippedRange;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Finds the newest skip of a job that begins at or before an instant. A store scans only forward, and a job may have very many skips: so it
 * looks back twice as far each time until it finds one, and then bisects the time between that one and the instant. Each step reads one
 * record; there are a few dozen steps at most.
 *
 * <p>Threading: stateless.
 */
final class SkipSearch {
  /** Longer than the retention of skips. */
  private static final long FARTHEST = 1L << 40;

  private final Store store;
  private final JobId job;
  private final long at;

  SkipSearch(Store store, JobId job, Instant at) {
    this.store = store;
    this.job = job;
    this.at = at.toEpochMilli();
  }

  CompletionStage<Optional<SkippedRange>> run() {
    return back(1024);
  }

  private CompletionStage<Optional<SkippedRange>> back(long millis) {
    return first(at - millis).thenCompose(found -> {
      if (found.isPresent()) {
        return halve(found.get(), at);
      }
      return millis >= FARTHEST ? CompletableFuture.completedStage(found) : back(2 * millis);
    });
  }

  /**
   * @param best a skip that begins at the instant or before
   * @param last no skip begins after it
   */
  private CompletionStage<Optional<SkippedRange>> halve(SkippedRange best, long last) {
    long from = best.from().toEpochMilli();
    if (from >= last) {
      return CompletableFuture.completedStage(Optional.of(best));
    }
    long middle = from + 1 + (last - from - 1) / 2;
    return first(middle)
        .thenCompose(
            found -> found.isPresent() ? halve(found.get(), last) : halve(best, middle - 1));
  }

  /** The oldest skip that begins between here and the instant. */
  private CompletionStage<Optional<SkippedRange>> first(long from) {
    Scan scan = new Scan(
        Keys.SKIPS,
        Keys.skip(job, Instant.ofEpochMilli(from)).name(),
        Keys.skip(job, Instant.ofEpochMilli(at + 1)).name(),
        1);
    return store
        .scan(scan)
        .thenApply(page ->
            page.entries().stream().findFirst().map(entry -> Records.skippedRange(entry.value())));
  }
}
