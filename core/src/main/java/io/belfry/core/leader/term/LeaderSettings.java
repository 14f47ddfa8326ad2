package io.belfry.core.leader.term;

import io.belfry.core.history.RetainSettings;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import java.time.Duration;
import java.util.function.Function;

/**
 * How a leader behaves.
 *
 * @param workerLease of the workers; a new leader waits that long before it takes tasks from any of them
 * @param grace up to this age a fire is on time
 * @param releaseRate missed fires that are made up for in a second, so that catching up does not delay what is on time
 * @param overdue how long after its timeout the leader ends an attempt without a report
 * @param limitKey what a task is counted together with under its limit
 * @param retain how long finished tasks are kept
 * @param backpressure how much it takes on
 * @param reconcileEvery how long a round of the reconciler takes, which compares all cached records with the store
 */
public record LeaderSettings(
    Duration workerLease,
    Duration grace,
    int releaseRate,
    Duration overdue,
    Function<Task, String> limitKey,
    RetainSettings retain,
    BackpressureSettings backpressure,
    Duration reconcileEvery) {

  private static final Duration RECONCILE_EVERY = Duration.ofMinutes(10);

  public static final LeaderSettings DEFAULT = new LeaderSettings(
      Duration.ofSeconds(4),
      Duration.ofSeconds(5),
      1000,
      Duration.ofSeconds(10),
      LeaderSettings::plainLimitKey,
      RetainSettings.DEFAULT,
      BackpressureSettings.DEFAULT,
      RECONCILE_EVERY);

  /** With the usual round of the reconciler. */
  public LeaderSettings(
      Duration workerLease,
      Duration grace,
      int releaseRate,
      Duration overdue,
      Function<Task, String> limitKey,
      RetainSettings retain,
      BackpressureSettings backpressure) {
    this(workerLease, grace, releaseRate, overdue, limitKey, retain, backpressure, RECONCILE_EVERY);
  }

  /** With the usual intake. */
  public LeaderSettings(
      Duration workerLease,
      Duration grace,
      int releaseRate,
      Duration overdue,
      Function<Task, String> limitKey,
      RetainSettings retain) {
    this(workerLease, grace, releaseRate, overdue, limitKey, retain, BackpressureSettings.DEFAULT);
  }

  public LeaderSettings with(BackpressureSettings to) {
    return new LeaderSettings(
        workerLease, grace, releaseRate, overdue, limitKey, retain, to, reconcileEvery);
  }

  public LeaderSettings withReconcileEvery(Duration every) {
    return new LeaderSettings(
        workerLease, grace, releaseRate, overdue, limitKey, retain, backpressure, every);
  }

  private static String plainLimitKey(Task task) {
    return task.work()
        .limit()
        .key()
        .orElseGet(() ->
            task.id().jobId().map(JobId::value).orElseGet(() -> task.work().name()));
  }
}
