package io.belfry.bench.task;

import io.belfry.core.fire.FirePlan;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobVersion;
import io.belfry.store.Commit;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes many new jobs: definition and cursor, as if they were saved one by one.
 *
 * <p>Threading: one call at a time.
 */
final class JobSeed {
  private static final int BATCH = 50;
  private static final int BATCHES_AWAY = 16;

  private final Store store;
  private final Semaphore away = new Semaphore(BATCHES_AWAY);
  private final AtomicReference<@Nullable Object> wrong = new AtomicReference<>();

  JobSeed(Store store) {
    this.store = store;
  }

  /** Returns when all jobs are stored. */
  void sow(int from, int to, Instant now, IntFunction<Job> each) {
    for (int at = from; at < to; at += BATCH) {
      Commit.Builder commit = Commit.when();
      for (int i = at; i < Math.min(to, at + BATCH); i++) {
        Job job = each.apply(i).edit().saved(JobVersion.first(now)).build();
        commit
            .absent(Keys.job(job.id()))
            .put(Keys.job(job.id()), Records.encode(job))
            .put(
                Keys.cursor(job.id()),
                Records.encode(FirePlan.of(job, Optional.empty()).first(now)));
      }
      away.acquireUninterruptibly();
      var unused = store.commit(commit.build()).whenComplete((outcome, failure) -> {
        if (!(outcome instanceof Outcome.Done)) {
          wrong.compareAndSet(null, failure == null ? outcome : failure);
        }
        away.release();
      });
    }
    away.acquireUninterruptibly(BATCHES_AWAY);
    away.release(BATCHES_AWAY);
    if (wrong.get() != null) {
      throw new IllegalStateException("The jobs could not be written: " + wrong.get());
    }
  }
}
