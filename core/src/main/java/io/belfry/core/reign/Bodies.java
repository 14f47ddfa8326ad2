package io.belfry.core.reign;

import io.belfry.core.record.Slim;
import io.belfry.core.record.Weight;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import java.util.HashMap;
import java.util.Map;

/**
 * Bounds what tasks take in the leader's memory. While there are few they are kept whole, so that giving one out costs no read; beyond
 * the budget a task is kept without its payload and what else is large, and its work is shared with all others of the same kind.
 *
 * <p>Threading: confined to the reign's loop.
 */
final class Bodies {
  private static final int WORKS_MAX = 10_000;
  /** Settings, labels and metadata of a work that are kept beyond the budget. */
  private static final int WORK_MAX = 4096;

  private final long budget;
  private final Map<Work, Work> works = new HashMap<>();
  private long kept;

  Bodies(long budget) {
    this.budget = budget;
  }

  /** The task waits, or is held, as it is now. */
  void settle(LiveTask live) {
    release(live);
    long weight = Weight.of(live.task);
    if (kept + weight <= budget) {
      live.weight = weight;
      kept += weight;
    } else {
      Work work = live.task.work();
      Work little = little(work);
      live.slim |= !little.equals(work);
      live.task = with(live.task, shared(little));
    }
  }

  /** The task is over. */
  void release(LiveTask live) {
    kept -= live.weight;
    live.weight = 0;
  }

  /** What the leader needs to decide, and whatever else is not much. */
  private static Work little(Work work) {
    return Weight.of(work) > WORK_MAX
        ? Slim.bare(work).withWorkers(work.workers())
        : work.withPayload(Payload.EMPTY);
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
