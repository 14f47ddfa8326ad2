package io.belfry.core.leader.task;

import io.belfry.model.task.Task;

/** For tests that look at the table itself. Threading: stateless. */
public final class TestTasks {
  public static final TaskListener UNHEARD = new TaskListener() {
    @Override
    public void changed(LiveTask live) {}

    @Override
    public void ended(LiveTask live, Task end) {}
  };

  private TestTasks() {}
}
