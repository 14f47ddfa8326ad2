package io.belfry.core.fire;

import io.belfry.model.job.JobId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is remembered of the jobs that make up for much: of so many at once, about 30 MB at most; others do without.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class Backlogs {
  static final int JOBS_MAX = 64;

  private final Map<JobId, Backlog> jobs = new LinkedHashMap<>();

  /** For a plan by this rule; empty where there is nothing to remember, or no room. */
  public Optional<Backlog> of(JobId job, FirePlan rule, boolean missed) {
    if (!missed || !rule.hasBacklog() || (jobs.size() == JOBS_MAX && !jobs.containsKey(job))) {
      return Optional.empty();
    }
    return Optional.of(jobs.computeIfAbsent(job, unused -> new Backlog()));
  }

  /** The job has been planned: what it has made up for is forgotten, and so is what was kept for jobs that are gone. */
  public void planned(JobId job, Plan plan, Instant now) {
    if (!jobs.isEmpty()) {
      if (!plan.more()) {
        jobs.remove(job);
      }
      jobs.values().removeIf(backlog -> backlog.isIdleSince(now));
    }
  }
}
