package io.belfry.core.record;

import io.belfry.model.job.Payload;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;

/** A task without what weighs: for messages to those who need to know what became of it. Threading: stateless. */
public final class Slim {
  private static final int FRAME = 400;

  private Slim() {}

  public static Task of(Task task) {
    return new Task(
        task.id(),
        task.work().withPayload(Payload.EMPTY),
        task.scheduled(),
        task.created(),
        task.priority(),
        task.key(),
        slim(task.state()),
        task.cancel(),
        task.history());
  }

  private static TaskState slim(TaskState state) {
    return switch (state) {
      case TaskState.Succeeded(Result result, var at) -> new TaskState.Succeeded(slim(result), at);
      case TaskState.Failed(Failure failure, var at) ->
        new TaskState.Failed(new Failure(failure.kind(), slim(failure.result())), at);
      default -> state;
    };
  }

  private static Result slim(Result result) {
    return new Result(result.code(), result.message(), Payload.EMPTY);
  }

  /** About how many bytes a task takes in a commit. */
  public static int weight(Task task) {
    int weight = FRAME + task.work().payload().size();
    return switch (task.state()) {
      case TaskState.Succeeded done -> weight + done.result().data().size();
      case TaskState.Failed failed -> weight + failed.failure().result().data().size();
      default -> weight;
    };
  }
}
