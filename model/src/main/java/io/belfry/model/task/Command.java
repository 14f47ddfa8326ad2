package io.belfry.model.task;

import io.belfry.model.job.Priority;
import io.belfry.model.missed.SkipReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What may be asked of a task. Imperative, and may be refused. */
public sealed interface Command {

  /** Give it to a worker, under a token newer than all before. */
  record Assign(Token token, String worker) implements Command {}

  /** End it: at once while nobody has it, otherwise as soon as its worker has stopped. */
  record Cancel(String by, String reason) implements Command {}

  /** Record that it will not be tried at all. */
  record Skip(SkipReason reason) implements Command {}

  record Reprioritise(Priority priority) implements Command {}

  /** Speaks of one attempt, and counts only while that attempt is the current one. */
  sealed interface Report extends Command {
    Token token();
  }

  /**
   * The code began then, or is about to begin. Needed before an at-most-once task, and for all that outlive a moment, which say it when
   * the moment is over.
   */
  record Start(Token token, Instant started) implements Report {}

  /** The code ended well. */
  record Complete(Token token, Instant started, Result result) implements Report {}

  /** The attempt went wrong; {@code started} is empty if the code never began. */
  record Fail(Token token, Optional<Instant> started, Failure failure) implements Report {}

  /**
   * The leader finds that the timeout has passed and the worker has not said so.
   *
   * @param ran for how long, by the leader's stopwatch: what a worker's calendar says of the start may be wrong
   */
  record TimeOut(Token token, Duration ran) implements Report {}

  /** The worker's lease has ended. */
  record Rescue(Token token, String why) implements Report {}

  /** The worker is stopping and gives the task back. */
  record HandBack(Token token, String why) implements Report {}
}
