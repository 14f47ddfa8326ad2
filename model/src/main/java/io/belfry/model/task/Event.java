package io.belfry.model.task;

import io.belfry.model.job.Priority;
import io.belfry.model.missed.SkipReason;
import java.time.Instant;

/** What happened to a task. Past tense, already true, never refused. */
public sealed interface Event {

  record Assigned(Attempt attempt) implements Event {}

  record Started(Instant at) implements Event {}

  record Completed(Result result, Instant at) implements Event {}

  /** The attempt is over, and there will be another. */
  record RetryScheduled(Failure failure, Instant due, Instant at) implements Event {}

  /** The attempt is over, and there will be no other. */
  record Failed(Failure failure, Instant at) implements Event {}

  record HandedBack(String why, Instant at) implements Event {}

  record CancelRequested(CancelRequest request) implements Event {}

  record Cancelled(CancelRequest request, Instant at) implements Event {}

  record Skipped(SkipReason reason, Instant at) implements Event {}

  record Reprioritised(Priority priority) implements Event {}
}
