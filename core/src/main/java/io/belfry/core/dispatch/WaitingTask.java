package io.belfry.core.dispatch;

import io.belfry.model.job.JobId;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Priority;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;

/**
 * What dispatch needs to know about a task that waits for a worker.
 *
 * @param revision of the task's record, for the guard of the commit that assigns it
 * @param due the time from which it is takeable
 * @param labels that the worker must have
 * @param limitKey tasks with the same key count together under the limit; every {@code ${…}} is filled in; ignored without a limit
 * @param hashKey what {@code consistent-hash} keeps on one worker: the key of its limit, else its job; for a task without a job its own key
 * @param job whose run times it adds to: the job's id, or the name of a task without a job
 * @param order of arrival, for tasks that are due in the same millisecond
 * @param body data of the caller, returned with the match
 */
public record WaitingTask<T>(
    TaskId id,
    long revision,
    Priority priority,
    Instant due,
    String queue,
    Map<String, String> labels,
    Limit limit,
    String limitKey,
    String hashKey,
    String job,
    long order,
    T body) {

  /**
   * Creates it from a task.
   *
   * @param limitKey fills in the key of the task's limit from its payload, which only the caller can read; called only if the task
   *     has a limit
   */
  public static <T> WaitingTask<T> of(
      Task task, long revision, long order, Function<Task, String> limitKey, T body) {
    var work = task.work();
    return new WaitingTask<>(
        task.id(),
        revision,
        task.priority(),
        task.state() instanceof TaskState.Pending(Instant due) ? due : task.scheduled(),
        work.queue(),
        work.workers(),
        work.limit(),
        limits(work.limit()) ? limitKey.apply(task) : "",
        hashKey(task),
        task.id().jobId().map(JobId::value).orElse(work.name()),
        order,
        body);
  }

  /** The key that users gave, if any: the idempotency key of a fire is unique, and would keep nothing together. */
  private static String hashKey(Task task) {
    return task.work()
        .limit()
        .key()
        .filter(key -> !key.isEmpty())
        .or(() -> task.id().jobId().map(JobId::value))
        .orElseGet(task::idempotencyKey);
  }

  public boolean isLimited() {
    return limits(limit);
  }

  WaitingTask<T> with(Priority newPriority, long newRevision) {
    return new WaitingTask<>(
        id,
        newRevision,
        newPriority,
        due,
        queue,
        labels,
        limit,
        limitKey,
        hashKey,
        job,
        order,
        body);
  }

  private static boolean limits(Limit limit) {
    return limit.concurrency().isPresent() || limit.rate().isPresent();
  }
}
