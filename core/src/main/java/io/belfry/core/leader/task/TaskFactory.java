package io.belfry.core.leader.task;

import io.belfry.core.dispatch.WaitingTask;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.store.Revision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Fires that may be created as the task of a worker already, in one commit instead of two.
 *
 * <pre>
 *   fire ──▶ waits at the dispatcher, in its order, until the end of this turn ──match──▶ lot of its worker
 *                      │ no match                                                          │ refused
 *                      └───────────────────────▶ a commit of its own, pending ◀────────────┘
 * </pre>
 *
 * Only what has no limit: the place of one that is refused is free again before the store has said what stands there.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class TaskFactory {
  private final TaskTable table;
  private final Function<Task, String> limitKey;
  private final BiConsumer<TaskId, CancelRequested> cancel;
  private final List<LiveTask> expected = new ArrayList<>();

  public TaskFactory(
      TaskTable table,
      Function<Task, String> limitKey,
      BiConsumer<TaskId, CancelRequested> cancel) {
    this.table = table;
    this.limitKey = limitKey;
    this.cancel = cancel;
  }

  /**
   * Lets the task wait for a worker, though it stands nowhere yet.
   *
   * @return whether it does; otherwise nothing has happened
   */
  public boolean expect(Task task, Instant now, Creation creation) {
    WaitingTask<LiveTask> mayWait = waiting(task, new LiveTask(task, Revision.NONE));
    boolean due = task.state() instanceof TaskState.Pending(Instant at) && !at.isAfter(now);
    if (!due || mayWait.isLimited() || table.knows(task.id())) {
      return false;
    }
    LiveTask live = table.tasks.add(task, Revision.NONE);
    live.away = true;
    live.creation = creation;
    table.dispatcher.add(waiting(task, live));
    expected.add(live);
    return true;
  }

  private WaitingTask<LiveTask> waiting(Task task, LiveTask live) {
    return WaitingTask.of(task, Revision.NONE, table.arrival(), limitKey, live);
  }

  /** The turn is over: what no worker was found for is created all the same. */
  public void settle() {
    for (LiveTask live : expected) {
      if (table.dispatcher.remove(live.task.id()).isPresent()) {
        alone(live);
      }
    }
    expected.clear();
  }

  /** The commit that was to create it is not made, or was refused. */
  public void alone(LiveTask live) {
    Creation creation = live.creation;
    if (creation != null) {
      table.tasks.remove(live);
      creation.alone().run();
      live.cancel.ifPresent(asked -> cancel.accept(live.task.id(), asked));
    }
  }
}
