package io.belfry.model.task;

import io.belfry.model.Check;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import java.time.Instant;
import java.util.Optional;

/**
 * One unit of work to execute: a fire of a job, or a single submission. {@link TaskLife} decides its transitions.
 *
 * @param work as it was when the task was created; later changes of the job do not affect it
 * @param scheduled when it was meant to run; never changes, so that lateness can be measured
 * @param key the caller's idempotency key, if there is one
 * @param cancel stays once requested; the task is then cancelled instead of retried
 * @param submittedBy who submitted, triggered or retried it; empty for fires of jobs, and where the program gave no name
 */
public record Task(
    TaskId id,
    Work work,
    Instant scheduled,
    Instant created,
    Priority priority,
    Optional<String> key,
    TaskState state,
    Optional<CancelRequest> cancel,
    History history,
    Optional<String> submittedBy) {

  /** Of {@link #submittedBy}: it is written with every state of the task. */
  public static final int SUBMITTED_BY_CHARS_MAX = 160;

  private static final int KEY_CHARS_MAX = 200;

  public Task {
    key.ifPresent(text -> Check.text("idempotencyKey", text, KEY_CHARS_MAX));
    if (submittedBy.isPresent() && submittedBy.get().length() > SUBMITTED_BY_CHARS_MAX) {
      // A leader creates tasks from requests that any node has stored, and must not fail at one.
      submittedBy = submittedBy.map(who -> Check.clip(who, SUBMITTED_BY_CHARS_MAX));
    }
  }

  /**
   * The name of a submitter, as callers may give it.
   *
   * @throws io.belfry.model.InvalidException if it is blank or too long
   */
  public static String checkedSubmitter(String who) {
    return Check.text("by", who, SUBMITTED_BY_CHARS_MAX);
  }

  /** A task without a submitter, such as the fire of a job. To copy a task, pass all components instead, so that none is lost. */
  public Task(
      TaskId id,
      Work work,
      Instant scheduled,
      Instant created,
      Priority priority,
      Optional<String> key,
      TaskState state,
      Optional<CancelRequest> cancel,
      History history) {
    this(id, work, scheduled, created, priority, key, state, cancel, history, Optional.empty());
  }

  /** A new task, due at the given instant. */
  public static Task pending(TaskId id, Work work, Priority priority, Instant due, Instant now) {
    return new Task(
        id,
        work,
        due,
        now,
        priority,
        Optional.empty(),
        new TaskState.Pending(due),
        Optional.empty(),
        History.NONE);
  }

  public Task withKey(String newKey) {
    return new Task(
        id,
        work,
        scheduled,
        created,
        priority,
        Optional.of(newKey),
        state,
        cancel,
        history,
        submittedBy);
  }

  /** The same task with the name of its submitter. */
  public Task withSubmitter(Optional<String> who) {
    return new Task(id, work, scheduled, created, priority, key, state, cancel, history, who);
  }

  /** The same task with other work, such as the same work without its payload. */
  public Task withWork(Work newWork) {
    return new Task(
        id, newWork, scheduled, created, priority, key, state, cancel, history, submittedBy);
  }

  /** The same task in another state, with the history that belongs to it. */
  public Task with(TaskState newState, Optional<CancelRequest> newCancel, History newHistory) {
    return new Task(
        id, work, scheduled, created, priority, key, newState, newCancel, newHistory, submittedBy);
  }

  /**
   * The same task, with the revision of the commit that assigned it as the token of its current attempt. The
   * revision is known only after the commit; until then {@link Token#next} is a placeholder.
   */
  public Task stamped(Token revision) {
    return state instanceof TaskState.Assigned(Attempt a) && revision.isNewerThan(history.token())
        ? with(
            new TaskState.Assigned(new Attempt(a.number(), revision, a.worker(), a.assigned())),
            history)
        : this;
  }

  /** The newest token so far; an assignment needs a newer one. */
  public Token token() {
    return state instanceof TaskState.Held held ? held.attempt().token() : history.token();
  }

  /** Passed to every executor, so that the target system can recognize a repetition. */
  public String idempotencyKey() {
    return key.orElseGet(id::toString);
  }

  public boolean isFinal() {
    return state instanceof TaskState.Final;
  }

  public StateName stateName() {
    return switch (state) {
      case TaskState.Pending unused ->
        history.failed() + history.lost() > 0 ? StateName.RETRYING : StateName.PENDING;
      case TaskState.Assigned unused -> StateName.ASSIGNED;
      case TaskState.Running unused -> StateName.RUNNING;
      case TaskState.Succeeded unused -> StateName.SUCCEEDED;
      case TaskState.Failed unused -> StateName.FAILED;
      case TaskState.Cancelled unused -> StateName.CANCELLED;
      case TaskState.Skipped unused -> StateName.SKIPPED;
    };
  }

  /** Attempts so far, including the current one. */
  public int attempts() {
    return history.total() + (state instanceof TaskState.Held ? 1 : 0);
  }

  /** How many retries it has had after failed or lost attempts, including one that is scheduled. */
  public int retries() {
    return history.failed() + history.lost() - (state instanceof TaskState.Failed ? 1 : 0);
  }

  /** The worker of the current or the last attempt. */
  public Optional<String> worker() {
    return state instanceof TaskState.Held held
        ? Optional.of(held.attempt().worker())
        : history.latest().map(e -> e.attempt().worker());
  }

  /** When the code started, in the current attempt or else in the last one. */
  public Optional<Instant> started() {
    return switch (state) {
      case TaskState.Running running -> Optional.of(running.since());
      case TaskState.Assigned unused -> Optional.empty();
      default -> history.latest().flatMap(EndedAttempt::started);
    };
  }

  public Optional<Instant> ended() {
    return state instanceof TaskState.Final end ? Optional.of(end.at()) : Optional.empty();
  }

  Task with(TaskState newState, History newHistory) {
    return with(newState, cancel, newHistory);
  }

  Task with(Priority newPriority) {
    return new Task(
        id, work, scheduled, created, newPriority, key, state, cancel, history, submittedBy);
  }

  Task with(CancelRequest request) {
    return with(state, Optional.of(request), history);
  }
}
