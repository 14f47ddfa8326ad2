package io.belfry.core.record;

import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.util.List;

/** What the leader tells one worker in one commit. Overwritten by the next: a hint, which heartbeats make up for when lost. */
public record Inbox(List<Order> orders) {

  public sealed interface Order {

    /**
     * Carry out this attempt. The task is as it stands in the store by this very step, so the step's revision is both the token
     * and the revision that the first report is guarded by, unless they are given here because it is told again.
     *
     * @param revision {@link io.belfry.store.Revision#NONE} when it is the step's own
     */
    record Run(Task task, long revision) implements Order {}

    /** Stop this attempt: somebody asked for it, or the leader gave it up. What the code ends with from then on counts as cancelled. */
    record Stop(TaskId task, long token, CancelRequest request) implements Order {}
  }
}
