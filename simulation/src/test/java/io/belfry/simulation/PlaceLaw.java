package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.EndedAttempt;
import io.belfry.model.task.EndedAttempt.Ending;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import io.belfry.store.Change;
import java.util.HashMap;
import java.util.Map;

/**
 * A task of a job whose fires queue up, and whose worker was lost or handed it back, is given out before every fire that came after it. One
 * that failed is not: it lets the others go first while it waits for its retry.
 *
 * <p>Threading: confined to its world.
 */
final class PlaceLaw implements EngineEar {
  static final String LAW = "I1 a task that was taken back keeps its place in the queue of its job";

  private final World world;
  private final String limitKey;
  private final Map<String, Task> waiting = new HashMap<>();

  PlaceLaw(Simulation simulation, String job) {
    this.world = simulation.world();
    this.limitKey = "overlap:" + job;
    simulation.engine().addEar(this);
  }

  @Override
  public void settled(EngineStep step) {
    for (Change change : step.changes()) {
      if (change instanceof Change.Put(var entry) && entry.key().space().equals(Keys.TASKS)) {
        Task task = Records.task(entry.value());
        if (task.state() instanceof TaskState.Held && isOurs(task)) {
          check(step, task);
        }
      }
    }
    for (Change change : step.changes()) {
      if (change.key().space().equals(Keys.TASKS)) {
        waiting.remove(change.key().text());
        if (change instanceof Change.Put(var entry)) {
          Task task = Records.task(entry.value());
          if (isOurs(task) && wasTakenBack(task)) {
            waiting.put(change.key().text(), task);
          }
        }
      }
    }
  }

  private boolean isOurs(Task task) {
    return task.id().isFire()
        && task.work().limit().key().filter(limitKey::equals).isPresent();
  }

  private static boolean wasTakenBack(Task task) {
    return task.state() instanceof TaskState.Pending
        && task.cancel().isEmpty()
        && task.history()
            .latest()
            .map(EndedAttempt::ending)
            .filter(PlaceLaw::isTaken)
            .isPresent();
  }

  private static boolean isTaken(Ending ending) {
    return ending instanceof Ending.HandedBack
        || (ending instanceof Ending.Failed(var failure) && failure.kind() == FailureKind.LOST);
  }

  /** Another assignment of the same task says nothing. */
  private void check(EngineStep step, Task given) {
    world.count("queued fires given out");
    for (Task earlier : waiting.values()) {
      boolean alike = earlier.work().queue().equals(given.work().queue())
          && earlier.work().workers().equals(given.work().workers())
          && earlier.priority() == given.priority();
      if (alike
          && !earlier.id().equals(given.id())
          && earlier.scheduled().isBefore(given.scheduled())) {
        throw world.violation(
            LAW, step.by() + " gave out " + given.id() + " although " + earlier.id() + " waited");
      }
    }
  }
}
