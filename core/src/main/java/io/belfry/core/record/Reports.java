package io.belfry.core.record;

import io.belfry.model.task.Task;
import java.util.List;

/**
 * The results of the attempts of one lot, as a message to the leader in the commit that wrote them.
 *
 * @param segment name of the history segment with the finished tasks; empty if there are none
 * @param tasks as they are now: finished, running, or pending again
 * @param rejected late reports of the worker, which changed nothing
 */
public record Reports(String segment, List<Task> tasks, List<Told.Rejected> rejected) {
  public Reports(String segment, List<Task> tasks) {
    this(segment, tasks, List.of());
  }
}
