package io.belfry.core.record;

import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.TaskId;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;

/** A request to the leader from any node, durable once acknowledged. */
public sealed interface Request {
  /** Who requested it, such as the name of a token; becomes the submitter of the created task. May be empty. */
  String by();

  Instant at();

  /**
   * Create a task of a job now.
   *
   * @param task its id, chosen by the caller: with a fire's id it is created only once for that instant
   * @param payload replaces the job's own
   * @param worker configured id of the worker that must run it
   */
  record Trigger(
      TaskId task, Optional<Payload> payload, Optional<String> worker, String by, Instant at)
      implements Request {

    /**
     * The job's work with the options of this request.
     *
     * @throws io.belfry.model.InvalidException if the worker does not fit into the labels
     */
    public Work of(Work work) {
      Work requested = payload.map(work::withPayload).orElse(work);
      if (worker.isEmpty()) {
        return requested;
      }
      var labels = new TreeMap<>(requested.workers());
      labels.put(WORKER, worker.get());
      return requested.withWorkers(labels);
    }
  }

  /** The label by which a task requires one worker, and which each worker has. */
  String WORKER = "belfry.worker";

  /** Cancel a task. */
  record Cancel(TaskId task, String reason, String by, Instant at) implements Request {}

  record Reprioritise(TaskId task, Priority priority, String by, Instant at) implements Request {}

  /**
   * Create a new task with the work of a finished one.
   *
   * @param task the id of the new task
   * @param work of the finished task, with its {@linkplain #RETRY_OF origin} in the metadata
   */
  record Again(TaskId task, Work work, Priority priority, String by, Instant at)
      implements Request {}

  /** The metadata key in a retry that names the original task. */
  String RETRY_OF = "belfry.retry-of";
}
