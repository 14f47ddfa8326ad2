package io.belfry.core.leader.task;

import io.belfry.model.job.Work;
import io.belfry.model.task.Command;
import io.belfry.model.task.Decision;
import io.belfry.model.task.Event;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskLife;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * What the leader has decided about a task. Threading: immutable.
 *
 * @param task as it is to be written
 * @param events that lead to it, to be published once they are durable
 */
public record Decided(Task task, List<Event> events) {

  /** Decides the commands in turn; empty if one of them is refused. */
  public static Optional<Decided> of(
      Task task, List<Command> commands, Instant now, RandomGenerator random) {
    Task next = task;
    var all = new ArrayList<Event>(2);
    for (Command command : commands) {
      if (!(TaskLife.decide(next, command, now, random) instanceof Decision.Accepted(var events))) {
        return Optional.empty();
      }
      next = TaskLife.apply(next, events);
      all.addAll(events);
    }
    return Optional.of(new Decided(next, all));
  }

  /** With what the leader does not keep of the task. */
  public Decided withWork(Work work) {
    return new Decided(task.withWork(work), events);
  }
}
