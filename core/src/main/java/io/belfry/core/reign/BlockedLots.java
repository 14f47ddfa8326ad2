package io.belfry.core.reign;

import io.belfry.model.job.JobId;
import io.belfry.store.Key;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Lots of ended tasks that cannot be followed up, because the definition of a job that runs after them cannot be read. They wait apart, so
 * that other lots need not wait for somebody to mend it; one of them is tried now and then.
 *
 * <p>Threading: confined to the reign's loop.
 */
final class BlockedLots {
  private final Map<JobId, Set<Key>> byJob = new LinkedHashMap<>();
  private final Map<Key, JobId> jobs = new HashMap<>();

  boolean contains(Key lot) {
    return jobs.containsKey(lot);
  }

  boolean isEmpty() {
    return jobs.isEmpty();
  }

  void add(Key lot, JobId by) {
    byJob.computeIfAbsent(by, job -> new LinkedHashSet<>()).add(lot);
    jobs.put(lot, by);
  }

  /** One lot of the job, to be tried again. */
  Optional<Key> takeOne(JobId by) {
    Optional<Key> lot =
        Optional.ofNullable(byJob.get(by)).map(lots -> lots.iterator().next());
    lot.ifPresent(this::remove);
    return lot;
  }

  /** All lots of a job that can be read again. */
  Set<Key> takeAll(JobId by) {
    Set<Key> lots = byJob.remove(by);
    if (lots == null) {
      return Set.of();
    }
    lots.forEach(jobs::remove);
    return lots;
  }

  private void remove(Key lot) {
    JobId by = jobs.remove(lot);
    byJob.computeIfPresent(by, (job, lots) -> {
      lots.remove(lot);
      return lots.isEmpty() ? null : lots;
    });
  }
}
