package io.belfry.core.fire;

import io.belfry.model.job.JobId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The backlogs of the jobs that catch up on many fires: at most {@value #JOBS_MAX}, about 30 MB; other jobs work without one.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class Backlogs {
  static final int JOBS_MAX = 64;

  private final Map<JobId, Backlog> jobs = new LinkedHashMap<>();

  /** The backlog for a plan by this rule; empty if it needs none, or too many jobs have one. */
  public Optional<Backlog> of(JobId job, FirePlan rule, boolean missed) {
    if (!missed || !rule.hasBacklog() || (jobs.size() == JOBS_MAX && !jobs.containsKey(job))) {
      return Optional.empty();
    }
    return Optional.of(jobs.computeIfAbsent(job, unused -> new Backlog()));
  }

  /** The job has been planned: removes its backlog if it has caught up, and the backlogs of jobs that are gone. */
  public void planned(JobId job, Plan plan, Instant now) {
    if (!jobs.isEmpty()) {
      if (!plan.more()) {
        jobs.remove(job);
      }
      jobs.values().removeIf(backlog -> backlog.isIdleSince(now));
    }
  }
}
