package io.belfry.core.event;

import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.Token;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Passes on every step of a task once, and none after a later one. A new leader does not know which recent events its predecessor
 * published, and publishes them again; this filter drops the duplicates.
 *
 * <p>Remembers the tasks with the most recent events, as many as change within seconds even under load. Threading: safe.
 */
public final class InOrder implements Observer {
  private static final int TASKS_MAX = 10_000;

  /** How far a task has progressed. */
  private record Step(Token token, int rank) {
    boolean isBefore(Step other) {
      return other.token.isNewerThan(token) || (token.equals(other.token) && rank < other.rank);
    }
  }

  private final Observer observer;
  private final Map<TaskId, Step> steps = new LinkedHashMap<>();

  public InOrder(Observer observer) {
    this.observer = observer;
  }

  @Override
  public void observed(Happening happening) {
    if (!(happening instanceof Happening.OfTask of) || goesOn(of)) {
      observer.observed(happening);
    }
  }

  private synchronized boolean goesOn(Happening.OfTask of) {
    Task task = of.task();
    var now = new Step(task.token(), rank(of));
    Step before = steps.get(task.id());
    if (before != null && !before.isBefore(now)) {
      return false;
    }
    // Inserted again, so that it is the last to be evicted.
    steps.remove(task.id());
    steps.put(task.id(), now);
    if (steps.size() > TASKS_MAX) {
      steps.remove(steps.keySet().iterator().next());
    }
    return true;
  }

  private static int rank(Happening.OfTask of) {
    return switch (of) {
      case Happening.TaskSubmitted unused -> 0;
      case Happening.TaskScheduled unused -> 1;
      case Happening.TaskStarted unused -> 2;
      case Happening.TaskRetrying unused -> 3;
      case Happening.TaskCompleted unused -> 4;
      case Happening.TaskFailed unused -> 4;
      case Happening.TaskCancelled unused -> 4;
    };
  }
}
