package io.belfry.core.record;

import io.belfry.model.job.JobId;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Attempt;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.EndedAttempt;
import io.belfry.model.task.EndedAttempt.Ending;
import io.belfry.model.task.Failure;
import io.belfry.model.task.History;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.model.task.Token;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** Any task, in any state, reachable or not. */
final class AnyTask {
  private AnyTask() {}

  static Task task(RandomGenerator random) {
    TaskId id = id(random);
    Instant scheduled = Any.flip(random) ? id.instant().orElse(Instant.EPOCH) : Any.instant(random);
    return new Task(
        id,
        AnyWork.work(random),
        scheduled,
        Any.instant(random),
        Any.flip(random) ? Priority.NORMAL : Any.constant(random, Priority.class),
        Any.maybe(random, r -> Any.text(r, 200)),
        state(random),
        Any.maybe(random, AnyTask::cancel),
        Any.flip(random) ? History.NONE : history(random),
        Any.maybe(random, r -> Any.text(r, Task.SUBMITTED_BY_CHARS_MAX)));
  }

  static TaskId id(RandomGenerator random) {
    return Any.<TaskId>oneOf(
        random,
        () -> TaskId.fire(new JobId(Any.name(random, 128)), Any.millis(random)),
        () -> TaskId.fire(new JobId("j"), Instant.parse("0000-01-01T00:00:00Z")),
        () -> TaskId.fire(new JobId("j"), Instant.parse("9999-12-31T23:59:59.999Z")),
        () -> TaskId.triggered(new JobId(Any.name(random, 128)), Any.millis(random), random),
        () -> TaskId.oneOff(Any.millis(random), random),
        () -> TaskId.parse("Own_" + Any.name(random, 120)));
  }

  static CancelRequest cancel(RandomGenerator random) {
    return new CancelRequest(Any.words(random, 500), Any.words(random, 600), Any.instant(random));
  }

  private static TaskState state(RandomGenerator random) {
    return Any.<TaskState>oneOf(
        random,
        () -> new TaskState.Pending(Any.instant(random)),
        () -> new TaskState.Assigned(attempt(random)),
        () -> new TaskState.Running(attempt(random), Any.instant(random)),
        () -> new TaskState.Succeeded(result(random), Any.instant(random)),
        () -> new TaskState.Failed(failure(random), Any.instant(random)),
        () -> new TaskState.Cancelled(cancel(random), Any.instant(random)),
        () -> new TaskState.Skipped(Any.constant(random, SkipReason.class), Any.instant(random)));
  }

  private static Attempt attempt(RandomGenerator random) {
    return new Attempt(
        Any.integer(random),
        new Token(Any.count(random)),
        Any.words(random, 80),
        Any.instant(random));
  }

  private static History history(RandomGenerator random) {
    return new History(
        Any.list(random, History.FIRST_KEPT, AnyTask::ended),
        Any.list(random, History.LAST_KEPT, AnyTask::ended),
        Any.integer(random),
        Any.integer(random),
        Any.integer(random),
        new Token(Any.count(random)));
  }

  private static EndedAttempt ended(RandomGenerator random) {
    return new EndedAttempt(
        attempt(random),
        Any.maybe(random, Any::instant),
        Any.instant(random),
        Any.<Ending>oneOf(
            random,
            Ending.Succeeded::new,
            () -> new Ending.Failed(failure(random)),
            () -> new Ending.HandedBack(Any.words(random, 100)),
            Ending.Cancelled::new));
  }

  private static Failure failure(RandomGenerator random) {
    return new Failure(Any.constant(random, FailureKind.class), result(random));
  }

  private static Result result(RandomGenerator random) {
    return Any.flip(random)
        ? Result.OK
        : new Result(
            Any.integer(random),
            Any.words(random, random.nextInt(20) == 0 ? 5000 : 100),
            Any.flip(random) ? Payload.EMPTY : AnyWork.payload(random));
  }
}
