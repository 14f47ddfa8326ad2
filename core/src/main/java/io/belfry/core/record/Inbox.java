package io.belfry.core.record;

import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.util.List;

/** The leader's orders to one worker in one commit. Overwritten by the next: a hint; heartbeats make up for a lost one. */
public record Inbox(List<Order> orders) {

  public sealed interface Order {

    /**
     * Run this attempt. The task is as stored by this very commit, so the commit's revision is both the token
     * and the revision that guards the first report, unless they are given here because the order is repeated.
     *
     * @param revision {@link io.belfry.store.Revision#NONE} if it is the commit's own
     */
    record Run(Task task, long revision) implements Order {}

    /** Stop this attempt: it was cancelled, or the leader gave it up. Whatever its code ends with afterwards counts as cancelled. */
    record Stop(TaskId task, long token, CancelRequest request) implements Order {}
  }
}
