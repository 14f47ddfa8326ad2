package io.belfry.core.fire;

import io.belfry.model.missed.SkippedRange;
import java.time.Instant;

/** What becomes of due instants: each is in exactly one outcome. */
public sealed interface Outcome {

  /** The newest instant that it speaks of. */
  Instant newest();

  /**
   * A task is made.
   *
   * @param scheduled what the timetable says; names the task
   * @param due when it may start: never before scheduled, later by the jitter
   */
  record Fire(Instant scheduled, Instant due) implements Outcome {
    @Override
    public Instant newest() {
      return scheduled;
    }
  }

  /** Nothing is made, and that is recorded. */
  record Skip(SkippedRange range) implements Outcome {
    @Override
    public Instant newest() {
      return range.to();
    }
  }
}
