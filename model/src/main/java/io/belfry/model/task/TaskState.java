package io.belfry.model.task;

import io.belfry.model.missed.SkipReason;
import java.time.Instant;

/** Where a task is. Only {@link Final} states are never left. */
public sealed interface TaskState {

  /** Waits for its time, then for a worker. With failed attempts behind it, the API calls it retrying. */
  record Pending(Instant due) implements TaskState {}

  /** A worker has it, under a token. */
  sealed interface Held extends TaskState {
    Attempt attempt();

    /** When it was given out, or its code began. Of two calendars: how long something took is told by a stopwatch. */
    Instant since();
  }

  /** Given to a worker, which has not said that it began; a short task may end without saying so. */
  record Assigned(Attempt attempt) implements Held {
    @Override
    public Instant since() {
      return attempt.assigned();
    }
  }

  /** The code has begun. */
  record Running(Attempt attempt, Instant since) implements Held {}

  /** It is over. */
  sealed interface Final extends TaskState {
    Instant at();
  }

  record Succeeded(Result result, Instant at) implements Final {}

  /** Not to be tried again; the failure is the last one. */
  record Failed(Failure failure, Instant at) implements Final {}

  record Cancelled(CancelRequest request, Instant at) implements Final {}

  /** Never tried, for a stated reason. */
  record Skipped(SkipReason reason, Instant at) implements Final {}
}
