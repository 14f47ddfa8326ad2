package io.belfry.core.record;

import io.belfry.model.task.Task;
import java.util.List;

/**
 * What became of the attempts of one lot, told to the leader in the commit that made it so.
 *
 * @param segment name of the history segment that the finished ones are in; empty when none is
 * @param tasks as they are now: finished, running, or pending again
 * @param rejected what the worker reported too late, which changed nothing
 */
public record Reports(String segment, List<Task> tasks, List<Told.Rejected> rejected) {
  public Reports(String segment, List<Task> tasks) {
    this(segment, tasks, List.of());
  }
}
