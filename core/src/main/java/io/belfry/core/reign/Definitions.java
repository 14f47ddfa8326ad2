package io.belfry.core.reign;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.fire.FirePlan;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.store.Entry;
import io.belfry.store.Store;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Definitions of jobs, read when a job fires. The latest are kept, each for its generation.
 *
 * <p>Threading: confined to the reign's loop.
 */
final class Definitions {
  private static final int KEPT_MAX = 10_000;

  /** A job, ready to be planned. */
  record Known(Job job, FirePlan plan) {}

  private final Loop loop;
  private final Store store;
  private final Map<JobId, Known> kept = new LinkedHashMap<>(64, 0.75f, true) {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<JobId, Known> eldest) {
      return size() > KEPT_MAX;
    }
  };

  Definitions(Loop loop, Store store) {
    this.loop = loop;
    this.store = store;
  }

  /** The definition of this generation, if it is at hand. */
  Optional<Known> find(JobId job, long generation) {
    return Optional.ofNullable(kept.get(job)).filter(known -> known.job.generation() == generation);
  }

  private static Known known(Job job) {
    return new Known(job, FirePlan.of(job, Optional.<Calendar>empty()));
  }

  /** Reads definitions as they stand now; those that do not exist are left out. */
  void read(List<JobId> jobs, Consumer<Map<JobId, Known>> then, Runnable failed) {
    loop.hear(
        store.get(jobs.stream().map(Keys::job).toList()),
        entries -> {
          Map<JobId, Known> found = new LinkedHashMap<>();
          for (Entry entry : entries) {
            Legible.read(entry, each -> known(Records.job(each.value()))).ifPresent(known -> {
              kept.put(known.job.id(), known);
              found.put(known.job.id(), known);
            });
          }
          then.accept(found);
        },
        failure -> failed.run());
  }
}
