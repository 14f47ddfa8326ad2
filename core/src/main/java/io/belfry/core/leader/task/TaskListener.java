package io.belfry.core.leader.task;

import io.belfry.model.task.Task;

/** Receives what becomes of tasks. Threading: called on the leader's loop. */
public interface TaskListener {

  /** A task has become waiting or held, or is so again after a write of the leader. */
  void changed(LiveTask live);

  /** A task has ended, as {@code end} says. */
  void ended(LiveTask live, Task end);
}
