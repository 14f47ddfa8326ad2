package io.belfry.core.fire;

import io.belfry.model.missed.SkippedRange;
import java.time.Instant;

/** The outcome of due instants: each is in exactly one outcome. */
public sealed interface Outcome {

  /** The newest instant that it covers. */
  Instant newest();

  /**
   * A task is created.
   *
   * @param scheduled the instant of the timetable; part of the task's id
   * @param due when the task may start: {@code scheduled}, or later by the jitter
   */
  record Fire(Instant scheduled, Instant due) implements Outcome {
    @Override
    public Instant newest() {
      return scheduled;
    }
  }

  /** No task is created, and the skip is recorded. */
  record Skip(SkippedRange range) implements Outcome {
    @Override
    public Instant newest() {
      return range.to();
    }
  }
}
