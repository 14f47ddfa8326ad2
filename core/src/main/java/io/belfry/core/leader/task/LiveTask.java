package io.belfry.core.leader.task;

import io.belfry.core.dispatch.Admission;
import io.belfry.core.dispatch.Hold;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An unfinished task as the leader knows it. Threading: confined to the leader's loop.
 */
public final class LiveTask {
  public Task task;
  public long revision;
  /** A commit over its key is under way: nobody else touches it until the outcome is known. */
  public boolean away;
  /** A scan did not find it while a commit of ours was away: it may be over, and is read when that has ended. */
  boolean doubted;
  /** The task here lacks its payload, or more: before it is written or told, the whole of it is read. */
  public boolean withoutPayload;
  /** What its body takes of the budget, while it is kept whole. */
  long weight;
  /** What its work takes beyond the budget, while it is not kept whole. */
  long weightBeyond;
  /** What it takes up at its worker, while it is held. */
  @Nullable
  public Hold hold;
  /** While workers may claim it: what is taken for it. */
  @Nullable
  public Admission<LiveTask> offer;
  /** While it stands nowhere yet: what comes of it in the commit that creates it. */
  @Nullable
  public Creation creation;
  /** By our stopwatch: since when we know it to be held in this attempt, or then its code to have begun. */
  public long heldSince;
  /** A request to end it that has not been met. */
  public Optional<CancelRequested> cancel = Optional.empty();
  /** Heartbeats of its worker in a row that did not name its token. */
  public int unnamed;
  /** Seen by the scan that is under way. */
  long seenInScan;
  /** Seen in this round of the sweep, or in an earlier one. */
  public long seenInRound;

  private @Nullable Heard heard;

  /**
   * Something newer that was heard while a commit of ours was away.
   *
   * @param whole whether the task is told with all it has
   */
  record Heard(Task task, long revision, boolean whole) {}

  public LiveTask(Task task, long revision) {
    this.task = task;
    this.revision = revision;
  }

  /** The task with a state that was reported, of which only that and what has changed with it is known. */
  Task as(TaskState.Held held, Task reported) {
    return task.with(held, reported.cancel(), reported.history());
  }

  public boolean isPending() {
    return task.state() instanceof TaskState.Pending;
  }

  public Optional<String> holder() {
    return task.state() instanceof TaskState.Held held
        ? Optional.of(held.attempt().worker())
        : Optional.empty();
  }

  void heard(Task what, long at, boolean whole) {
    if (heard == null || heard.revision < at) {
      heard = new Heard(what, at, whole);
    }
  }

  /** What was heard meanwhile, if it is newer than this. */
  Optional<Heard> takeHeard(long than) {
    Optional<Heard> taken = Optional.ofNullable(heard).filter(later -> later.revision > than);
    heard = null;
    return taken;
  }
}
