package io.belfry.model.task;

import io.belfry.model.missed.SkipReason;
import java.time.Instant;

/** The state of a task. {@link Final} states never change. */
public sealed interface TaskState {

  /** Waits for its due time, then for a worker. After failed attempts, the API calls it retrying. */
  record Pending(Instant due) implements TaskState {}

  /** Assigned to a worker, under a fencing token. */
  sealed interface Held extends TaskState {
    Attempt attempt();

    /** When it was assigned, or when its code started. From two wall clocks: durations are measured by a monotonic clock instead. */
    Instant since();
  }

  /** Assigned to a worker that has not reported a start. A short task may end without reporting one. */
  record Assigned(Attempt attempt) implements Held {
    @Override
    public Instant since() {
      return attempt.assigned();
    }
  }

  /** The code has started. */
  record Running(Attempt attempt, Instant since) implements Held {}

  /** The task has ended. */
  sealed interface Final extends TaskState {
    Instant at();
  }

  record Succeeded(Result result, Instant at) implements Final {}

  /** No retries left; the failure is the last one. */
  record Failed(Failure failure, Instant at) implements Final {}

  record Cancelled(CancelRequest request, Instant at) implements Final {}

  /** Never attempted, for a recorded reason. */
  record Skipped(SkipReason reason, Instant at) implements Final {}
}
