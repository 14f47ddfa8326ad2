package io.belfry.core.reign;

import io.belfry.core.record.Weight;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import java.util.HashMap;
import java.util.Map;

/**
 * Bounds what waiting tasks take in the leader's memory. While few wait they are kept whole, so that giving one out costs no read; beyond
 * the budget a task is kept without its payload, and its work is shared with all others of the same kind.
 *
 * <p>Threading: confined to the reign's loop.
 */
final class Bodies {
  private static final int WORKS_MAX = 10_000;

  private final long budget;
  private final Map<Work, Work> works = new HashMap<>();
  private long kept;

  Bodies(long budget) {
    this.budget = budget;
  }

  /** The task begins to wait, or goes on. */
  void settle(LiveTask live) {
    release(live);
    long weight = Weight.of(live.task);
    if (kept + weight <= budget) {
      live.weight = weight;
      kept += weight;
    } else {
      Task task = live.task;
      live.slim |= !task.work().payload().isEmpty();
      live.task = with(task, shared(task.work().withPayload(Payload.EMPTY)));
    }
  }

  /** The task does not wait any more. */
  void release(LiveTask live) {
    kept -= live.weight;
    live.weight = 0;
  }

  private Work shared(Work work) {
    if (works.size() >= WORKS_MAX) {
      works.clear();
    }
    Work known = works.putIfAbsent(work, work);
    return known == null ? work : known;
  }

  static Task with(Task task, Work work) {
    return new Task(
        task.id(),
        work,
        task.scheduled(),
        task.created(),
        task.priority(),
        task.key(),
        task.state(),
        task.cancel(),
        task.history());
  }
}
