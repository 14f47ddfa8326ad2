package io.belfry.core.reign;

import io.belfry.core.retain.RetainSettings;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import java.time.Duration;
import java.util.function.Function;

/**
 * How a leader behaves.
 *
 * @param workerLease as the workers have it: nobody is rescued from before a new leader has waited that long
 * @param grace up to this age a fire is on time
 * @param releaseRate missed fires that are made up for in a second, so that catching up does not delay what is on time
 * @param overdue how long after its timeout the leader ends an attempt that nobody reported
 * @param limitKey what a task is counted together with under its limit
 * @param retain how long finished tasks are kept
 * @param intake how much it takes on
 * @param sweep how long it takes to compare all that it believes with the store, again and again
 */
public record ReignSettings(
    Duration workerLease,
    Duration grace,
    int releaseRate,
    Duration overdue,
    Function<Task, String> limitKey,
    RetainSettings retain,
    IntakeSettings intake,
    Duration sweep) {

  private static final Duration SWEEP = Duration.ofMinutes(10);

  public static final ReignSettings DEFAULT = new ReignSettings(
      Duration.ofSeconds(4),
      Duration.ofSeconds(5),
      1000,
      Duration.ofSeconds(10),
      ReignSettings::plainLimitKey,
      RetainSettings.DEFAULT,
      IntakeSettings.DEFAULT,
      SWEEP);

  /** With the usual sweep. */
  public ReignSettings(
      Duration workerLease,
      Duration grace,
      int releaseRate,
      Duration overdue,
      Function<Task, String> limitKey,
      RetainSettings retain,
      IntakeSettings intake) {
    this(workerLease, grace, releaseRate, overdue, limitKey, retain, intake, SWEEP);
  }

  /** With the usual intake. */
  public ReignSettings(
      Duration workerLease,
      Duration grace,
      int releaseRate,
      Duration overdue,
      Function<Task, String> limitKey,
      RetainSettings retain) {
    this(workerLease, grace, releaseRate, overdue, limitKey, retain, IntakeSettings.DEFAULT);
  }

  public ReignSettings with(IntakeSettings to) {
    return new ReignSettings(workerLease, grace, releaseRate, overdue, limitKey, retain, to, sweep);
  }

  public ReignSettings withSweep(Duration every) {
    return new ReignSettings(
        workerLease, grace, releaseRate, overdue, limitKey, retain, intake, every);
  }

  private static String plainLimitKey(Task task) {
    return task.work()
        .limit()
        .key()
        .orElseGet(() ->
            task.id().jobId().map(JobId::value).orElseGet(() -> task.work().name()));
  }
}
