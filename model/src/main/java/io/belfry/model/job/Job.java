package io.belfry.model.job;

import io.belfry.model.Check;
import io.belfry.model.missed.MissedPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * The definition of a job: its trigger, its work and its policies. Built with {@link #named}.
 *
 * @param priority the initial priority of its tasks
 * @param retain how long its finished tasks are kept
 * @param retainLast keep only this many of them, the latest; if empty, keep all
 * @param saved empty until the job is stored
 */
public record Job(
    JobId id,
    String description,
    Trigger trigger,
    Work work,
    Priority priority,
    MissedPolicy missed,
    OverlapPolicy overlap,
    Shards shards,
    Expect expect,
    Notifications notifications,
    Duration retain,
    Optional<Integer> retainLast,
    boolean enabled,
    Optional<JobVersion> saved) {

  public static final Duration DEFAULT_RETAIN = Duration.ofDays(7);

  private static final Duration SHORTEST_RETAIN = Duration.ofMinutes(1);
  private static final Duration LONGEST_RETAIN = Duration.ofDays(3660);
  private static final int LAST_MAX = 1_000_000;
  private static final int DESCRIPTION_CHARS_MAX = 4000;

  public Job {
    Check.atMost("description", description, DESCRIPTION_CHARS_MAX);
    work.limit().key().ifPresent(KeyTemplate::check);
    Check.between(
        "retain.for",
        retain,
        SHORTEST_RETAIN,
        LONGEST_RETAIN,
        "history must stay readable and bounded");
    retainLast.ifPresent(last -> Check.between(
        "retain.last", last, 1, LAST_MAX, "the last result shows whether the job is healthy"));
    Check.that(
        !(trigger instanceof Trigger.After after && after.job().equals(id)),
        "trigger.after",
        id,
        "must name another job, because a job that follows itself never starts or never ends",
        "To repeat a job after it ends, use trigger.every with from: end.");
  }

  /** Starts a job definition. The id is also its name, unless {@link JobBuilder#name} sets another. */
  public static JobBuilder named(String id) {
    return named(id, WorkDefaults.USUAL);
  }

  /** The same with other defaults. */
  public static JobBuilder named(String id, WorkDefaults defaults) {
    return new JobBuilder(new JobId(id), defaults);
  }

  /** A builder that starts with the values of this job. */
  public JobBuilder edit() {
    return new JobBuilder(this);
  }

  public String name() {
    return work.name();
  }

  /** The generation of the stored definition; 0 if it was never stored. */
  public long generation() {
    return saved.map(JobVersion::generation).orElse(0L);
  }

  /** The generation with which the job was created; 0 if it was never stored. */
  public long incarnation() {
    return saved.map(JobVersion::incarnation).orElse(0L);
  }
}
