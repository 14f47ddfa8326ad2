package io.belfry.model.task;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An attempt that has ended.
 *
 * @param started empty if the code is not known to have started
 */
public record EndedAttempt(
    Attempt attempt, Optional<Instant> started, Instant ended, Ending ending) {

  /** How it ended. */
  public sealed interface Ending {
    record Succeeded() implements Ending {}

    record Failed(Failure failure) implements Ending {}

    /** Handed back by a draining worker; not a failure, and no retry is used. */
    record HandedBack(String why) implements Ending {}

    record Cancelled() implements Ending {}
  }

  /** From start to end; never negative, although the times come from two clocks. */
  public Optional<Duration> took() {
    return started
        .map(from -> Duration.between(from, ended))
        .map(d -> d.isNegative() ? Duration.ZERO : d);
  }
}
