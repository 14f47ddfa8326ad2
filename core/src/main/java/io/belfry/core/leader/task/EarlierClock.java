package io.belfry.core.leader.task;

import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import io.belfry.model.time.Time;
import java.time.Duration;
import java.time.Instant;

/**
 * What an earlier leader's calendar said, on our stopwatch. Whoever leads is at most two seconds off the median, so that two leaders may
 * be four apart: whatever is uncertain is taken to have been later. Threading: stateless.
 */
public final class EarlierClock {
  /** More than the calendars of two leaders differ. */
  static final Duration SKEW = Duration.ofSeconds(5);

  /** Longer than any window, so that nothing older matters. */
  private static final Duration LONG_AGO = Duration.ofDays(3);

  private EarlierClock() {}

  /** When a task that is held was given out, at the latest. */
  public static long start(Time time, Task task) {
    return task.state() instanceof TaskState.Held held
        ? start(time, held.attempt().assigned())
        : time.nanos();
  }

  /** When an attempt was given out, at the latest. */
  public static long start(Time time, Instant assigned) {
    return nanos(time, assigned, SKEW);
  }

  /**
   * Since when all starts are known, if everything that ended after this is. The leader that ended a task may have been another than
   * the one that gave it out.
   */
  public static long known(Time time, long endMillis) {
    Instant end = endMillis == Long.MIN_VALUE ? Instant.EPOCH : Instant.ofEpochMilli(endMillis);
    return nanos(time, end, SKEW.multipliedBy(2));
  }

  private static long nanos(Time time, Instant at, Duration later) {
    Instant now = time.wall();
    Instant latest = at.isBefore(now.minus(LONG_AGO)) ? now.minus(LONG_AGO) : at.plus(later);
    return latest.isBefore(now)
        ? time.nanos() - Duration.between(latest, now).toNanos()
        : time.nanos();
  }
}
