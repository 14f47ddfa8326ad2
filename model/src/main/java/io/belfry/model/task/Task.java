package io.belfry.model.task;

import io.belfry.model.Check;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import java.time.Instant;
import java.util.Optional;

/**
 * One occurrence to be carried out once. {@link TaskLife} is what moves it.
 *
 * @param work as it was when the task was made; later edits of the job do not reach it
 * @param scheduled when it was meant to run; never changes, so that lateness can be told
 * @param key the caller's idempotency key, if there is one
 * @param cancel stays once asked for, and turns every further try into cancelled
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
    History history) {

  private static final int KEY_CHARS_MAX = 200;

  public Task {
    key.ifPresent(text -> Check.text("idempotencyKey", text, KEY_CHARS_MAX));
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
        id, work, scheduled, created, priority, Optional.of(newKey), state, cancel, history);
  }

  /**
   * The same task, whose current attempt has the revision of the commit that assigned it as its token. The
   * revision is known only afterwards; until then {@link Token#next} stood in for it.
   */
  public Task stamped(Token revision) {
    return state instanceof TaskState.Assigned(Attempt a) && revision.isNewerThan(history.token())
        ? with(
            new TaskState.Assigned(new Attempt(a.number(), revision, a.worker(), a.assigned())),
            history)
        : this;
  }

  /** The newest token there was; an assignment needs a newer one. */
  public Token token() {
    return state instanceof TaskState.Held held ? held.attempt().token() : history.token();
  }

  /** What every executor is handed, so that the target can tell a repetition. */
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

  /** How often it was, or is going to be, tried again after a failed or lost attempt. */
  public int retries() {
    return history.failed() + history.lost() - (state instanceof TaskState.Failed ? 1 : 0);
  }

  /** Who has it, or had it last. */
  public Optional<String> worker() {
    return state instanceof TaskState.Held held
        ? Optional.of(held.attempt().worker())
        : history.latest().map(e -> e.attempt().worker());
  }

  /** When the code began, in the current or else the last attempt. */
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
    return new Task(id, work, scheduled, created, priority, key, newState, cancel, newHistory);
  }

  Task with(Priority newPriority) {
    return new Task(id, work, scheduled, created, newPriority, key, state, cancel, history);
  }

  Task with(CancelRequest request) {
    return new Task(
        id, work, scheduled, created, priority, key, state, Optional.of(request), history);
  }
}
