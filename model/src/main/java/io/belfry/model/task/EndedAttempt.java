package io.belfry.model.task;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A try that is over.
 *
 * @param started empty if the code is not known to have begun
 */
public record EndedAttempt(
    Attempt attempt, Optional<Instant> started, Instant ended, Ending ending) {

  /** How it ended. */
  public sealed interface Ending {
    record Succeeded() implements Ending {}

    record Failed(Failure failure) implements Ending {}

    /** Given back by a worker that stops; nobody's fault, and no retry. */
    record HandedBack(String why) implements Ending {}

    record Cancelled() implements Ending {}
  }

  /** From start to end; never negative, although two clocks took part. */
  public Optional<Duration> took() {
    return started
        .map(from -> Duration.between(from, ended))
        .map(d -> d.isNegative() ? Duration.ZERO : d);
  }
}
