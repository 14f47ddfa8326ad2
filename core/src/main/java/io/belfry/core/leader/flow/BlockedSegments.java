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
 * History segments that cannot be followed up, because the definition of a job that runs after their tasks cannot be read. They wait apart,
 * so that other segments need not wait until an operator has repaired it. One segment of each such job is tried now and then, however many
 * there are: its result says whether the others still have to wait.
 *
 * <pre>
 *   blocked ──after a while, one of the job──▶ tried ──blocked by the same job again──▶ blocked
 *      └──────────── all of the job ◀────────────┘ anything else
 * </pre>
 *
 * <p>Threading: confined to the leader's loop.
 */
final class BlockedSegments {
  private final Map<JobId, Set<Key>> byJob = new LinkedHashMap<>();
  private final Map<Key, JobId> jobs = new HashMap<>();
  /** Segments that are being tried, and by which job they were blocked. */
  private final Map<Key, JobId> tried = new HashMap<>();

  /** Jobs of which a segment is being tried, or will be. */
  private final Set<JobId> awaited = new HashSet<>();

  boolean contains(Key segment) {
    return jobs.containsKey(segment);
  }

  boolean isEmpty() {
    return jobs.isEmpty();
  }

  /** Whether the caller has to try a segment of this job after a pause. */
  boolean add(Key segment, JobId by) {
    byJob.computeIfAbsent(by, job -> new LinkedHashSet<>()).add(segment);
    jobs.put(segment, by);
    if (by.equals(tried.get(segment))) {
      tried.remove(segment);
      return true;
    }
    return awaited.add(by);
  }

  /** One segment of the job, to be tried again. */
  Optional<Key> takeOne(JobId by) {
    Optional<Key> segment =
        Optional.ofNullable(byJob.get(by)).map(segments -> segments.iterator().next());
    segment.ifPresentOrElse(
        one -> {
          remove(one);
          tried.put(one, by);
        },
        () -> awaited.remove(by));
    return segment;
  }

  /** What can be tried as well, because this segment was, and is not blocked by the same job any more. */
  Set<Key> left(Key segment) {
    JobId by = tried.remove(segment);
    if (by == null) {
      return Set.of();
    }
    awaited.remove(by);
    return takeAll(by);
  }

  /** All segments of a job that can be read again. */
  Set<Key> takeAll(JobId by) {
    Set<Key> segments = byJob.remove(by);
    if (segments == null) {
      return Set.of();
    }
    segments.forEach(jobs::remove);
    return segments;
  }

  private void remove(Key segment) {
    JobId by = jobs.remove(segment);
    byJob.computeIfPresent(by, (job, segments) -> {
      segments.remove(segment);
      return segments.isEmpty() ? null : segments;
    });
  }
}
