package io.belfry.core.leader.task;

import io.belfry.model.task.TaskId;
import java.util.LinkedHashSet;
import java.util.Set;

/** The last so many tasks of a kind. Threading: confined to the leader's loop. */
final class RecentlyEnded {
  private final int most;
  private final Set<TaskId> tasks = new LinkedHashSet<>();

  RecentlyEnded(int most) {
    this.most = most;
  }

  void add(TaskId task) {
    tasks.add(task);
    if (tasks.size() > most) {
      tasks.remove(tasks.iterator().next());
    }
  }

  boolean contains(TaskId task) {
    return tasks.contains(task);
  }
}
