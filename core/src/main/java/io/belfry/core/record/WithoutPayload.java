package io.belfry.core.record;

import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Work;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import java.util.Map;

/** A task without its large parts: for messages that only tell its outcome. Threading: stateless. */
public final class WithoutPayload {
  private WithoutPayload() {}

  public static Task of(Task task) {
    return task.withWork(of(task.work())).with(slim(task.state()), task.cancel(), task.history());
  }

  /** Without its payload; and without its settings, labels and metadata, if they are large. */
  public static Work of(Work work) {
    Work slim = work.payload().equals(Payload.EMPTY) ? work : work.withPayload(Payload.EMPTY);
    return Weight.isTooMuchToTell(slim) ? bare(slim) : slim;
  }

  /** Only the parts with a small bound. */
  public static Work bare(Work work) {
    return new Work(
        work.name(),
        new ExecutorSpec(work.executor().type(), Map.of()),
        Payload.EMPTY,
        work.timeout(),
        work.retry(),
        work.atMostOnce(),
        work.queue(),
        Map.of(),
        work.limit(),
        Map.of());
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
}
