package io.belfry.model.job;

import io.belfry.model.Check;
import java.time.Duration;
import java.time.LocalTime;
import java.util.Optional;

/**
 * The expectations (SLA) of a job. A breach is reported and changes nothing else.
 *
 * @param finishedBy time of day, in the zone of the job's trigger, by which the day's task must have ended
 * @param maxLateness longest time from the scheduled instant to the start
 * @param maxDuration longest time from start to end
 */
public record Expect(
    Optional<LocalTime> finishedBy,
    Optional<Duration> maxLateness,
    Optional<Duration> maxDuration) {
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(30);

  public static final Expect NOTHING =
      new Expect(Optional.empty(), Optional.empty(), Optional.empty());

  public Expect {
    maxLateness.ifPresent(d -> check("expect.maxLateness", d));
    maxDuration.ifPresent(d -> check("expect.maxDuration", d));
  }

  private static void check(String field, Duration duration) {
    Check.between(field, duration, SHORTEST, LONGEST, "a timer watches it");
  }
}
