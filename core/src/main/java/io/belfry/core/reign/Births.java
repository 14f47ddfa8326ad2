package io.belfry.core.reign;

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
 * <p>Threading: confined to the reign's loop.
 */
final class Births {
  private final TaskBook book;
  private final Function<Task, String> limitKey;
  private final BiConsumer<TaskId, CancelAsked> cancel;
  private final List<LiveTask> expected = new ArrayList<>();

  Births(TaskBook book, Function<Task, String> limitKey, BiConsumer<TaskId, CancelAsked> cancel) {
    this.book = book;
    this.limitKey = limitKey;
    this.cancel = cancel;
  }

  /**
   * Lets the task wait for a worker, though it stands nowhere yet.
   *
   * @return whether it does; otherwise nothing has happened
   */
  boolean expect(Task task, Instant now, Birth birth) {
    WaitingTask<LiveTask> mayWait = waiting(task, new LiveTask(task, Revision.NONE));
    boolean due = task.state() instanceof TaskState.Pending(Instant at) && !at.isAfter(now);
    if (!due || mayWait.isLimited() || book.knows(task.id())) {
      return false;
    }
    LiveTask live = book.tasks.add(task, Revision.NONE);
    live.away = true;
    live.birth = birth;
    book.dispatcher.add(waiting(task, live));
    expected.add(live);
    return true;
  }

  private WaitingTask<LiveTask> waiting(Task task, LiveTask live) {
    return WaitingTask.of(task, Revision.NONE, book.arrival(), limitKey, live);
  }

  /** The turn is over: what no worker was found for is created all the same. */
  void settle() {
    for (LiveTask live : expected) {
      if (book.dispatcher.remove(live.task.id()).isPresent()) {
        alone(live);
      }
    }
    expected.clear();
  }

  /** The commit that was to create it is not made, or was refused. */
  void alone(LiveTask live) {
    Birth birth = live.birth;
    if (birth != null) {
      book.tasks.remove(live);
      birth.alone().run();
      live.cancel.ifPresent(asked -> cancel.accept(live.task.id(), asked));
    }
  }
}
