package io.belfry.core.record;

import io.belfry.model.task.EndedAttempt;
import io.belfry.model.task.StateName;
import io.belfry.model.task.Task;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Statistics of a job's tasks that ended within one hour.
 *
 * <p>Threading: confined to its owner.
 */
public final class Rollup {
  /** The counted states, in the order in which they are stored. */
  public static final List<StateName> ENDS =
      List.of(StateName.SUCCEEDED, StateName.FAILED, StateName.CANCELLED, StateName.SKIPPED);

  final long[] ends = new long[ENDS.size()];
  long retries;
  final Histogram runTime = new Histogram();
  final Histogram lateness = new Histogram();

  /** Counts a finished task. */
  public void add(Task task) {
    ends[ENDS.indexOf(task.stateName())]++;
    retries += task.retries();
    task.history().latest().flatMap(EndedAttempt::took).ifPresent(runTime::add);
    task.history().kept().stream()
        .findFirst()
        .map(first -> first.started().orElse(first.attempt().assigned()))
        .ifPresent(began -> lateness.add(Duration.between(task.scheduled(), began)));
  }

  public void add(Rollup other) {
    for (int i = 0; i < ends.length; i++) {
      ends[i] += other.ends[i];
    }
    retries += other.retries;
    runTime.add(other.runTime);
    lateness.add(other.lateness);
  }

  /** The number of tasks that ended in this state. */
  public long count(StateName end) {
    return ends[ENDS.indexOf(end)];
  }

  /** The number of all tasks. */
  public long count() {
    long sum = 0;
    for (long count : ends) {
      sum += count;
    }
    return sum;
  }

  public long retries() {
    return retries;
  }

  /** Durations of each task's last attempt. */
  public Histogram runTime() {
    return runTime;
  }

  /** Delays from the scheduled instant of a task to the start of its first attempt. */
  public Histogram lateness() {
    return lateness;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Rollup that
        && Arrays.equals(ends, that.ends)
        && retries == that.retries
        && runTime.equals(that.runTime)
        && lateness.equals(that.lateness);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(ends), retries, runTime, lateness);
  }

  @Override
  public String toString() {
    return "ends " + Arrays.toString(ends) + ", retries " + retries + ", run time " + runTime
        + ", lateness " + lateness;
  }
}
