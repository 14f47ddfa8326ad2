package io.belfry.executors.egress;

import io.belfry.model.time.Time;
import java.time.Duration;

/**
 * The deadline of a call, including everything that it waits for.
 *
 * <p>Threading: immutable.
 *
 * @param atNanos on the monotonic clock of {@code time}
 */
public record Deadline(Time time, long atNanos) {

  public static Deadline after(Time time, Duration limit) {
    return new Deadline(time, time.nanos() + limit.toNanos());
  }

  /** The time left; zero once the deadline has passed. */
  public Duration left() {
    return Duration.ofNanos(Math.max(0, atNanos - time.nanos()));
  }

  public boolean isOver() {
    return atNanos - time.nanos() <= 0;
  }
}
