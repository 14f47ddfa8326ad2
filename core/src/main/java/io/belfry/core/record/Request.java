package io.belfry.core.record;

import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.TaskId;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;

/** Something that only the leader may do, asked for by any node, and durable from the moment it is acknowledged. */
public sealed interface Request {
  /** Who asks, such as the name of a token; becomes the submitter of the task that is made. May be empty. */
  String by();

  Instant at();

  /**
   * Make a task of a job now.
   *
   * @param task its id, chosen by the caller: a fire's id makes it happen once for that instant
   * @param payload instead of the job's own
   * @param worker configured id of the one that shall carry it out
   */
  record Trigger(
      TaskId task, Optional<Payload> payload, Optional<String> worker, String by, Instant at)
      implements Request {

    /**
     * The job's work as it is wanted here.
     *
     * @throws io.belfry.model.InvalidException if there is no room for the worker among the labels
     */
    public Work of(Work work) {
      Work told = payload.map(work::withPayload).orElse(work);
      if (worker.isEmpty()) {
        return told;
      }
      var labels = new TreeMap<>(told.workers());
      labels.put(WORKER, worker.get());
      return told.withWorkers(labels);
    }
  }

  /** The label by which a task demands one worker, and which each worker has. */
  String WORKER = "belfry.worker";

  /** End a task. */
  record Cancel(TaskId task, String reason, String by, Instant at) implements Request {}

  record Reprioritise(TaskId task, Priority priority, String by, Instant at) implements Request {}

  /**
   * Make a new task that does what a finished one did.
   *
   * @param task the new one's id
   * @param work of the finished one, with its {@linkplain #RETRY_OF origin} among the metadata
   */
  record Again(TaskId task, Work work, Priority priority, String by, Instant at)
      implements Request {}

  /** Where the metadata of a task that was made of another names that other one. */
  String RETRY_OF = "belfry.retry-of";
}
