package io.belfry.core.leader.task;

import io.belfry.model.task.Task;
import io.belfry.store.Commit;
import io.belfry.store.Guard;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * New tasks, and what belongs into the commit that creates them.
 *
 * @param tasks each of which must not exist yet
 * @param rest further guards and writes: the cursor of the job, the request
 * @param created receives the revision
 * @param refused receives the guard that did not hold; nothing was created then
 * @param mayBeAssigned whether a single task may be created as the task of a worker, in one commit with other tasks of that worker
 */
public record Creation(
    List<Task> tasks,
    Commit rest,
    LongConsumer created,
    Consumer<Guard> refused,
    boolean mayBeAssigned) {}
