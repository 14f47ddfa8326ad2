package io.belfry.model.job;

import io.belfry.model.Check;
import io.belfry.model.missed.MissedPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * What a user defines: when, what, and what if. Made by {@link #named}.
 *
 * @param priority of its tasks, until somebody changes one
 * @param retain how long its finished tasks are kept
 * @param retainLast of those, only the last so many must be kept; without it, all
 * @param saved empty until the store has it
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
    Notifications notices,
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
        "history is kept to be read, and is bounded");
    retainLast.ifPresent(last -> Check.between(
        "retain.last", last, 1, LAST_MAX, "the last end tells whether the job is well"));
    Check.that(
        !(trigger instanceof Trigger.After after && after.job().equals(id)),
        "trigger.after",
        id,
        "must name another job, because a job that follows itself never begins or never ends",
        "Use trigger.every with from: end for a loop.");
  }

  /** Begins a job; the id is its name too, until {@link JobBuilder#name} gives another. */
  public static JobBuilder named(String id) {
    return named(id, WorkDefaults.USUAL);
  }

  /** The same with other defaults. */
  public static JobBuilder named(String id, WorkDefaults defaults) {
    return new JobBuilder(new JobId(id), defaults);
  }

  /** A builder that begins with everything as it is here. */
  public JobBuilder edit() {
    return new JobBuilder(this);
  }

  public String name() {
    return work.name();
  }

  /** Of the definition that the store has; 0 for one that was never saved. */
  public long generation() {
    return saved.map(JobVersion::generation).orElse(0L);
  }

  /** The generation with which it was created; 0 for one that was never saved. */
  public long incarnation() {
    return saved.map(JobVersion::incarnation).orElse(0L);
  }
}
