package io.belfry.core.leader.task;

import io.belfry.core.record.Weight;
import io.belfry.core.record.WithoutPayload;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what tasks take in the leader's memory. While there are few they are kept whole, so that giving one out costs no read; beyond
 * the budget a task is kept without its payload, and its work is shared with all others of the same kind.
 *
 * <pre>
 *   whole tasks ──▶ budget ── works without payload, each kind once ──▶ 1½ × budget ── only what dispatch needs ──▶ 2 × budget: full
 * </pre>
 *
 * Dispatch needs the name, the queue, the limit and the labels, of which a task may have many: so these are counted as well, and when
 * they take too much nothing more is taken in. A little of each task is not counted, because the number of tasks is bounded, too.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class PayloadBudget {
  private static final int WORKS_MAX = 10_000;
  private static final int SUBMITTERS_MAX = 1000;
  /** Settings, labels and metadata of a work that are kept beyond the budget. */
  private static final int WORK_MAX = 4096;
  /** A name, a queue and a label or two. */
  private static final int NOT_COUNTED = 600;
  /** However small the budget is, usual tasks are many before they are much. */
  private static final long LEAST_ROOM = 1 << 20;

  private final long budget;
  private final Map<Work, Work> works = new HashMap<>();
  private final Map<Optional<String>, Optional<String>> submitters = new HashMap<>();
  private long kept;
  /** What works take beyond the budget; one that tasks share is counted for the task that brought it. */
  private long beyond;

  public PayloadBudget(long budget) {
    this.budget = budget;
  }

  /** The task waits, or is held, as it is now. */
  public void settle(LiveTask live) {
    release(live);
    long weight = Weight.of(live.task());
    if (kept + weight <= budget) {
      live.weight = weight;
      kept += weight;
      return;
    }
    Work work = live.task().work();
    Work little = little(work);
    Work known = known(little);
    live.withoutPayload(live.isWithoutPayload() || !little.equals(work));
    live.body(shared(live.task()).withWork(known == null ? little : known));
    if (known == null) {
      live.weightBeyond = Math.max(0, Weight.of(little) - NOT_COUNTED);
      beyond += live.weightBeyond;
    }
  }

  /** The task is over. */
  void release(LiveTask live) {
    kept -= live.weight;
    live.weight = 0;
    beyond -= live.weightBeyond;
    live.weightBeyond = 0;
  }

  /** Whether what has to be kept of tasks takes as much as it may. */
  public boolean isFull() {
    return beyond > room();
  }

  /** Whether there is little room, or none. */
  public boolean isNearlyFull() {
    return beyond > room() - room() / 10;
  }

  /** About the bytes of all that is kept and counted. */
  public long counted() {
    return kept + beyond;
  }

  private long room() {
    return Math.max(budget, LEAST_ROOM);
  }

  /** What the leader needs to decide, and while there is room whatever else is not much. */
  private Work little(Work work) {
    return Weight.of(work) > WORK_MAX || beyond > room() / 2
        ? WithoutPayload.bare(work).withWorkers(work.workers())
        : work.withPayload(Payload.EMPTY);
  }

  /** Many tasks have the same submitter, whose name is kept once. */
  private Task shared(Task task) {
    if (task.submittedBy().isEmpty()) {
      return task;
    }
    if (submitters.size() >= SUBMITTERS_MAX) {
      submitters.clear();
    }
    Optional<String> known = submitters.putIfAbsent(task.submittedBy(), task.submittedBy());
    return known == null ? task : task.withSubmitter(known);
  }

  /** The same work of another task, if there is one; otherwise others share this one from here on. */
  private @Nullable Work known(Work work) {
    if (works.size() >= WORKS_MAX) {
      works.clear();
    }
    return works.putIfAbsent(work, work);
  }
}
