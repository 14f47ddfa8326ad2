package io.belfry.core.leader.fire;

import io.belfry.core.fire.Outcome;
import io.belfry.core.fire.Plan;
import io.belfry.core.record.Cursor;
import io.belfry.model.job.JobId;
import io.belfry.model.missed.SkippedRange;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps the skips of consecutive instants in one record: a job that is due every second while its task hangs leaves one record for up to
 * {@link SkippedRange#COUNT_MAX} instants, not one for each.
 *
 * <pre>
 *   record {from … to, count}   cursor.last = to   ── skipped for the same reason again ──▶   the same key, {from … later, count + n}
 * </pre>
 *
 * <p>Only what this leader wrote itself is extended, and only while the job's cursor still ends with it: the commit is guarded by the
 * cursor, so nothing else can have become of an instant in between. A new leader begins a new record.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class SkipRanges {
  /** Of so many jobs the last record is remembered; of others the next skip begins a new one. */
  static final int JOBS_MAX = 10_000;

  private record Last(long generation, SkippedRange range) {}

  private final Map<JobId, Last> last = new LinkedHashMap<>(16, 0.75f, true) {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<JobId, Last> eldest) {
      return size() > JOBS_MAX;
    }
  };

  /**
   * What is to be written for a skip: with the skips before it if they belong together.
   *
   * @param before the cursor from which the skip was planned
   * @param made instants that have a task because of a trigger
   */
  SkippedRange joined(JobId job, Cursor before, SkippedRange skip, Set<Instant> made) {
    Last known = last.get(job);
    if (known == null
        || known.generation != before.generation()
        || !before.last().equals(Optional.of(known.range.to()))
        || made.stream().anyMatch(at -> at.isBefore(skip.from()))) {
      return skip;
    }
    return known.range.and(skip).orElse(skip);
  }

  /** This plan is written, its first skip as {@code first}. */
  void written(JobId job, Plan plan, Optional<SkippedRange> first) {
    if (plan.outcomes().isEmpty()) {
      return;
    }
    if (plan.outcomes().getLast() instanceof Outcome.Skip(SkippedRange range)) {
      SkippedRange stored = plan.outcomes().size() == 1 ? first.orElse(range) : range;
      last.put(job, new Last(plan.cursor().generation(), stored));
    } else {
      last.remove(job);
    }
  }
}
