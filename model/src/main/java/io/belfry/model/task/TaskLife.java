package io.belfry.model.task;

import io.belfry.model.Durations;
import io.belfry.model.job.Work;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.Decision.Reason;
import io.belfry.model.task.EndedAttempt.Ending;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The task state machine: decides commands and applies events. No I/O, no threads, no clock, no random source
 * of its own. Threading: stateless.
 */
public final class TaskLife {
  private TaskLife() {}

  /**
   * Decides a command. Never throws and changes nothing. {@code random} is used only for the jitter of a
   * retry.
   */
  public static Decision decide(Task task, Command command, Instant now, RandomGenerator random) {
    return switch (task.state()) {
      case TaskState.Pending pending -> pending(task, pending, command, now);
      case TaskState.Held held -> held(task, held, command, now, random);
      case TaskState.Final unused -> refused(Reason.ALREADY_FINAL);
    };
  }

  private static Decision pending(
      Task task, TaskState.Pending state, Command command, Instant now) {
    return switch (command) {
      case Command.Assign assign -> assign(task, state, assign, now);
      case Command.Cancel(String by, String why) ->
        accepted(new Event.Cancelled(new CancelRequest(by, why, now), now));
      case Command.Skip unused when task.attempts() > 0 -> refused(Reason.ALREADY_TRIED);
      case Command.Skip skip -> accepted(new Event.Skipped(skip.reason(), now));
      case Command.Reprioritise change -> accepted(new Event.Reprioritised(change.priority()));
      case Command.Report report -> refused(otherToken(report.token(), task.token()));
    };
  }

  private static Decision assign(
      Task task, TaskState.Pending state, Command.Assign assign, Instant now) {
    if (task.cancel().isPresent()) {
      return refused(Reason.CANCEL_REQUESTED);
    }
    if (now.isBefore(state.due())) {
      return refused(Reason.NOT_DUE);
    }
    if (!assign.token().isNewerThan(task.token())) {
      return refused(Reason.STALE_TOKEN);
    }
    return accepted(
        new Event.Assigned(new Attempt(task.attempts() + 1, assign.token(), assign.worker(), now)));
  }

  private static Decision held(
      Task task, TaskState.Held state, Command command, Instant now, RandomGenerator random) {
    return switch (command) {
      case Command.Assign unused -> refused(Reason.ALREADY_ASSIGNED);
      case Command.Skip unused -> refused(Reason.ALREADY_ASSIGNED);
      case Command.Reprioritise unused -> refused(Reason.ALREADY_ASSIGNED);
      case Command.Cancel unused when task.cancel().isPresent() -> refused(Reason.CANCEL_REQUESTED);
      case Command.Cancel(String by, String why) ->
        accepted(new Event.CancelRequested(new CancelRequest(by, why, now)));
      case Command.Report report
      when !report.token().equals(state.attempt().token()) ->
        refused(otherToken(report.token(), task.token()));
      case Command.Report report -> reported(task, state, report, now, random);
    };
  }

  /** Decides a report that is known to be from the current attempt. */
  private static Decision reported(
      Task task, TaskState.Held state, Command.Report report, Instant now, RandomGenerator random) {
    return switch (report) {
      case Command.Start unused
      when state instanceof TaskState.Running -> refused(Reason.ALREADY_RUNNING);
      case Command.Start unused when task.cancel().isPresent() -> refused(Reason.CANCEL_REQUESTED);
      case Command.Start start -> accepted(new Event.Started(within(state, start.started(), now)));
      case Command.Complete done ->
        ended(
            state,
            Optional.of(within(state, done.started(), now)),
            new Event.Completed(done.result(), now));
      case Command.Fail failed -> {
        Optional<Instant> started = failed.started().map(at -> within(state, at, now));
        TaskState.Held reached = begun(state, started);
        yield ended(state, started, afterFailure(task, reached, failed.failure(), now, random));
      }
      case Command.TimeOut overdue
      when overdue.ran().compareTo(task.work().timeout()) < 0 -> refused(Reason.NOT_OVERDUE);
      case Command.TimeOut unused ->
        accepted(afterFailure(task, state, overdue(task.work().timeout()), now, random));
      case Command.Rescue rescue ->
        accepted(afterFailure(task, state, Failure.lost(rescue.why()), now, random));
      case Command.HandBack back -> accepted(handBack(task, state, back.why(), now, random));
    };
  }

  /** Corrects for the clocks of leader and worker: an attempt starts no earlier than its assignment and no later than its report. */
  private static Instant within(TaskState.Held state, Instant started, Instant now) {
    Instant assigned = state.attempt().assigned();
    Instant told = started.isAfter(now) ? now : started;
    return told.isBefore(assigned) ? assigned : told;
  }

  private static TaskState.Held begun(TaskState.Held state, Optional<Instant> started) {
    return state instanceof TaskState.Assigned(Attempt attempt) && started.isPresent()
        ? new TaskState.Running(attempt, started.get())
        : state;
  }

  /** A short task reports once, at its end; its start is recorded as well. */
  private static Decision ended(TaskState.Held state, Optional<Instant> started, Event end) {
    List<Event> events = new ArrayList<>(2);
    if (state instanceof TaskState.Assigned) {
      started.map(Event.Started::new).ifPresent(events::add);
    }
    events.add(end);
    return new Decision.Accepted(events);
  }

  private static Event handBack(
      Task task, TaskState.Held state, String why, Instant now, RandomGenerator random) {
    boolean mayNotBeginAgain = task.work().atMostOnce() && state instanceof TaskState.Running;
    return mayNotBeginAgain || task.cancel().isPresent()
        ? afterFailure(task, state, Failure.lost(why), now, random)
        : new Event.HandedBack(why, now);
  }

  /** The only place that chooses between a retry and the end. */
  private static Event afterFailure(
      Task task, TaskState.Held state, Failure failure, Instant now, RandomGenerator random) {
    if (task.cancel().isPresent()) {
      return new Event.Cancelled(task.cancel().get(), now);
    }
    if (!mayTryAgain(task, state, failure.kind())) {
      return new Event.Failed(failure, now);
    }
    Duration pause = failure.kind() == FailureKind.LOST
        ? Duration.ZERO // it has already waited for the lease to expire
        : task.work().retry().waitAfter(task.history().failed() + 1, random);
    return new Event.RetryScheduled(failure, now.plus(pause), now);
  }

  private static boolean mayTryAgain(Task task, TaskState.Held state, FailureKind kind) {
    Work work = task.work();
    RetryPolicy retry = work.retry();
    History history = task.history();
    if (work.atMostOnce()) {
      // Its start is committed before the code starts: while the task is only assigned, no code has
      // run.
      return kind == FailureKind.LOST
          && state instanceof TaskState.Assigned
          && history.lost() < retry.rescues();
    }
    return retry.allows(kind, history.failed(), history.lost());
  }

  /** Applies an event to the task. Total: a recorded event always applies. */
  public static Task apply(Task task, Event event) {
    return switch (event) {
      case Event.Assigned(Attempt attempt) ->
        task.with(new TaskState.Assigned(attempt), task.history());
      case Event.Started(Instant at) -> started(task, at);
      case Event.Completed(Result result, Instant at) ->
        task.with(new TaskState.Succeeded(result, at), closed(task, new Ending.Succeeded(), at));
      case Event.RetryScheduled(Failure failure, Instant due, Instant at) ->
        task.with(new TaskState.Pending(due), closed(task, new Ending.Failed(failure), at));
      case Event.Failed(Failure failure, Instant at) ->
        task.with(new TaskState.Failed(failure, at), closed(task, new Ending.Failed(failure), at));
      case Event.HandedBack(String why, Instant at) ->
        task.with(new TaskState.Pending(at), closed(task, new Ending.HandedBack(why), at));
      case Event.CancelRequested(CancelRequest request) -> task.with(request);
      case Event.Cancelled(CancelRequest request, Instant at) ->
        task.with(request)
            .with(new TaskState.Cancelled(request, at), closed(task, new Ending.Cancelled(), at));
      case Event.Skipped(var reason, Instant at) ->
        task.with(new TaskState.Skipped(reason, at), task.history());
      case Event.Reprioritised(var priority) -> task.with(priority);
    };
  }

  /** Applies all events of a decision. */
  public static Task apply(Task task, List<Event> events) {
    Task after = task;
    for (Event event : events) {
      after = apply(after, event);
    }
    return after;
  }

  private static Task started(Task task, Instant at) {
    return task.state() instanceof TaskState.Held held
        ? task.with(new TaskState.Running(held.attempt(), at), task.history())
        : task;
  }

  /** The history with the current attempt ended; unchanged if the task was not assigned. */
  private static History closed(Task task, Ending ending, Instant at) {
    if (!(task.state() instanceof TaskState.Held held)) {
      return task.history();
    }
    Optional<Instant> started =
        held instanceof TaskState.Running running ? Optional.of(running.since()) : Optional.empty();
    return task.history().plus(new EndedAttempt(held.attempt(), started, at, ending));
  }

  private static Reason otherToken(Token given, Token newest) {
    return given.isNewerThan(newest) ? Reason.UNKNOWN_TOKEN : Reason.STALE_TOKEN;
  }

  private static Failure overdue(Duration timeout) {
    return Failure.timeout(
        "the worker reported no result within the timeout of " + Durations.show(timeout));
  }

  private static Decision accepted(Event event) {
    return new Decision.Accepted(List.of(event));
  }

  private static Decision refused(Reason reason) {
    return new Decision.Refused(reason);
  }
}
