package io.belfry.core.worker;

import io.belfry.core.loop.Loop;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.Command;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import io.belfry.model.task.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An attempt held by a worker, from the order to the accepted or rejected report.
 *
 * <p>Threading: confined to the worker's loop.
 */
final class HeldAttempt {
  /** The task as stored, to this worker's knowledge, and its revision. */
  Task task;

  long revision;
  final Token token;
  /** How far our clock is behind the clock of the assignment, at least. */
  private final Duration behind;

  Optional<Instant> started = Optional.empty();
  Launcher.@Nullable Started code;
  /** Whether its code has ended. Only then is the slot free, whatever was reported. */
  boolean codeEnded = true;
  /** Whether its code still runs although its end has been reported or was rejected. */
  boolean givenUp;
  /** Whether it has ignored its interruption beyond the grace period. */
  boolean deaf;
  /** Commands to report; the last one ends the attempt. */
  final List<Command> reports = new ArrayList<>();
  /** Whether its end is among the reports: there is only one. */
  boolean ending;
  /** Whether the store has its end, or will never accept one. */
  boolean over;

  Optional<String> stopped = Optional.empty();
  /** Whether it was stopped because the worker no longer trusts its lease. */
  boolean leaseLost;

  Optional<CancelRequest> cancel = Optional.empty();
  boolean overdue;
  Loop.@Nullable Timer timeout;
  Loop.@Nullable Timer announcement;

  HeldAttempt(Task task, long revision, Instant now) {
    this.task = task;
    this.revision = revision;
    this.token = task.token();
    this.behind = task.state() instanceof TaskState.Held held
            && now.isBefore(held.attempt().assigned())
        ? Duration.between(now, held.attempt().assigned())
        : Duration.ZERO;
  }

  /**
   * Our wall-clock time, shifted so that nothing of the attempt is before its assignment. Start and end shift alike, so that the
   * duration stays right.
   */
  Instant byLeader(Instant ours) {
    return ours.plus(behind);
  }

  void interrupt() {
    if (code != null) {
      code.interrupt();
    }
  }

  /**
   * The outcome of code that failed after it was interrupted, which is assumed to be the cause. A worker that stops returns its attempts.
   * One that lost its lease counts as dead, even if it survives: code that makes its process hang must not be retried forever.
   */
  Command interrupted(Failure failure) {
    if (overdue) {
      return new Command.Fail(
          token,
          started,
          Failure.timeout("it took longer than its timeout of " + task.work().timeout()));
    }
    if (stopped.isPresent() && cancel.isEmpty()) {
      String why = stopped.get();
      return leaseLost && started.isPresent()
          ? new Command.Fail(token, started, Failure.lost(why))
          : new Command.HandBack(token, why);
    }
    return new Command.Fail(token, started, failure);
  }

  void cancelTimers() {
    if (timeout != null) {
      timeout.cancel();
    }
    if (announcement != null) {
      announcement.cancel();
    }
  }

  /** Neither reported nor stopped so far. */
  boolean maySucceed() {
    return !ending && stopped.isEmpty();
  }

  /** The outcome of an attempt whose code cannot be started. */
  static Command notBegun(Token token, String why) {
    return new Command.Fail(token, Optional.empty(), Failure.error(why));
  }
}
