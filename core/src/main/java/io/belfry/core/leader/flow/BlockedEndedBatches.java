package io.belfry.core.leader.flow;

import io.belfry.model.job.JobId;
import io.belfry.store.Key;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * History batches that cannot be followed up, because the definition of a job that runs after their tasks cannot be read. They wait apart,
 * so that other history batches need not wait until an operator has repaired it. One history batch of each such job is tried now and then, however many
 * there are: its result says whether the others still have to wait.
 *
 * <pre>
 *   blocked ──after a while, one of the job──▶ tried ──blocked by the same job again──▶ blocked
 *      └──────────── all of the job ◀────────────┘ anything else
 * </pre>
 *
 * <p>Threading: confined to the leader's loop.
 */
final class BlockedEndedBatches {
  private final Map<JobId, Set<Key>> byJob = new LinkedHashMap<>();
  private final Map<Key, JobId> jobs = new HashMap<>();
  /** History batches that are being tried, and by which job they were blocked. */
  private final Map<Key, JobId> tried = new HashMap<>();

  /** Jobs of which a history batch is being tried, or will be. */
  private final Set<JobId> awaited = new HashSet<>();

  boolean contains(Key endedBatch) {
    return jobs.containsKey(endedBatch);
  }

  boolean isEmpty() {
    return jobs.isEmpty();
  }

  /** Whether the caller has to try a history batch of this job after a pause. */
  boolean add(Key endedBatch, JobId by) {
    byJob.computeIfAbsent(by, job -> new LinkedHashSet<>()).add(endedBatch);
    jobs.put(endedBatch, by);
    if (by.equals(tried.get(endedBatch))) {
      tried.remove(endedBatch);
      return true;
    }
    return awaited.add(by);
  }

  /** One history batch of the job, to be tried again. */
  Optional<Key> takeOne(JobId by) {
    Optional<Key> endedBatch = Optional.ofNullable(byJob.get(by))
        .map(endedBatches -> endedBatches.iterator().next());
    endedBatch.ifPresentOrElse(
        one -> {
          remove(one);
          tried.put(one, by);
        },
        () -> awaited.remove(by));
    return endedBatch;
  }

  /** What can be tried as well, because this history batch was, and is not blocked by the same job any more. */
  Set<Key> left(Key endedBatch) {
    JobId by = tried.remove(endedBatch);
    if (by == null) {
      return Set.of();
    }
    awaited.remove(by);
    return takeAll(by);
  }

  /** All history batches of a job that can be read again. */
  Set<Key> takeAll(JobId by) {
    Set<Key> endedBatches = byJob.remove(by);
    if (endedBatches == null) {
      return Set.of();
    }
    endedBatches.forEach(jobs::remove);
    return endedBatches;
  }

  private void remove(Key endedBatch) {
    JobId by = jobs.remove(endedBatch);
    byJob.computeIfPresent(by, (job, endedBatches) -> {
      endedBatches.remove(endedBatch);
      return endedBatches.isEmpty() ? null : endedBatches;
    });
  }
}
