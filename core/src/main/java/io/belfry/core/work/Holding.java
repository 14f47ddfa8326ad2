package io.belfry.core.work;

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
 * An attempt that a worker holds, from the order to the accepted or rejected report.
 *
 * <p>Threading: confined to the worker's loop.
 */
final class Holding {
  /** The task as the store has it, by what this worker knows, and the revision that it has there. */
  Task task;

  long revision;
  final Token token;
  /** How far our calendar is behind the one by which the attempt was given out, at least. */
  private final Duration behind;

  Optional<Instant> started = Optional.empty();
  Launcher.@Nullable Started code;
  /** Whether its code may still run. The slot is not free before it has ended, whatever was reported. */
  boolean codeEnded = true;
  /** Whether its code runs on although its end has been reported or was rejected. */
  boolean givenUp;
  /** Whether it has ignored its interruption for longer than it was given. */
  boolean deaf;
  /** What to report; the last of them ends the attempt. */
  final List<Command> reports = new ArrayList<>();
  /** Whether its end has been put among the reports: there is only one. */
  boolean ending;
  /** Whether the store has its end, or will never take one. */
  boolean over;

  Optional<String> stopped = Optional.empty();
  /** Whether it was stopped because the worker cannot trust its lease any more. */
  boolean leaseLost;

  Optional<CancelRequest> cancel = Optional.empty();
  boolean overdue;
  Loop.@Nullable Timer timeout;
  Loop.@Nullable Timer announcement;

  Holding(Task task, long revision, Instant now) {
    this.task = task;
    this.revision = revision;
    this.token = task.token();
    this.behind = task.state() instanceof TaskState.Held held
            && now.isBefore(held.attempt().assigned())
        ? Duration.between(now, held.attempt().assigned())
        : Duration.ZERO;
  }

  /**
   * What our calendar says, moved so far that nothing of the attempt lies before it was given out. Start and end move alike, so that
   * how long it took stays right.
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
   * Code that failed after we had interrupted it failed because of that. A worker that stops hands back what it has. One that lost its
   * lease is a lost worker, also if it lives to tell it: code that makes its process stand still must not do so for ever.
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

  /** How an attempt ends whose code cannot be begun. */
  static Command notBegun(Token token, String why) {
    return new Command.Fail(token, Optional.empty(), Failure.error(why));
  }
}
