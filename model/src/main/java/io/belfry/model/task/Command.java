package io.belfry.model.task;

import io.belfry.model.job.Priority;
import io.belfry.model.missed.SkipReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A command to a task. May be refused. */
public sealed interface Command {

  /** Assign it to a worker, under a token newer than all earlier ones. */
  record Assign(Token token, String worker) implements Command {}

  /** Cancel it: at once while it is pending, otherwise as soon as its worker has stopped the attempt. */
  record Cancel(String by, String reason) implements Command {}

  /** Record that it will not be attempted at all. */
  record Skip(SkipReason reason) implements Command {}

  record Reprioritise(Priority priority) implements Command {}

  /** A report about one attempt. Accepted only while that attempt is the current one. */
  sealed interface Report extends Command {
    Token token();
  }

  /**
   * The code has started, or is about to start. Required before an at-most-once task starts. Other attempts report it only once they have
   * run for a moment.
   */
  record Start(Token token, Instant started) implements Report {}

  /** The code succeeded. */
  record Complete(Token token, Instant started, Result result) implements Report {}

  /** The attempt failed; {@code started} is empty if the code never started. */
  record Fail(Token token, Optional<Instant> started, Failure failure) implements Report {}

  /**
   * The leader finds that the timeout has passed without a report from the worker.
   *
   * @param ran how long the attempt ran, by the leader's monotonic clock: the worker's wall clock may be wrong
   */
  record TimeOut(Token token, Duration ran) implements Report {}

  /** The worker's lease has expired. */
  record Rescue(Token token, String why) implements Report {}

  /** The worker is draining and hands the task back. */
  record HandBack(Token token, String why) implements Report {}
}
