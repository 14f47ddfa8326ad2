package io.belfry.model.task;

import io.belfry.model.job.Priority;
import io.belfry.model.missed.SkipReason;
import java.time.Instant;

/** Something that happened to a task. Always applies. */
public sealed interface Event {

  record Assigned(Attempt attempt) implements Event {}

  record Started(Instant at) implements Event {}

  record Completed(Result result, Instant at) implements Event {}

  /** The attempt has failed, and a retry is scheduled. */
  record RetryScheduled(Failure failure, Instant due, Instant at) implements Event {}

  /** The attempt has failed, and there is no retry. */
  record Failed(Failure failure, Instant at) implements Event {}

  record HandedBack(String why, Instant at) implements Event {}

  record CancelRequested(CancelRequest request) implements Event {}

  record Cancelled(CancelRequest request, Instant at) implements Event {}

  record Skipped(SkipReason reason, Instant at) implements Event {}

  record Reprioritised(Priority priority) implements Event {}
}
