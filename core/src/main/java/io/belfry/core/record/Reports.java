package io.belfry.core.record;

import io.belfry.model.task.Task;
import java.util.List;

/**
 * The results of the attempts of one batch, as a message to the leader in the commit that wrote them.
 *
 * @param endedBatch name of the history batch with the finished tasks; empty if there are none
 * @param tasks as they are now: finished, running, or pending again
 * @param rejected late reports of the worker, which changed nothing
 */
public record Reports(String endedBatch, List<Task> tasks, List<Told.Rejected> rejected) {
  public Reports(String endedBatch, List<Task> tasks) {
    this(endedBatch, tasks, List.of());
  }
}
