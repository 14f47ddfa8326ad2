package io.belfry.core.leader.task;

import io.belfry.store.Commit;
import java.util.function.LongConsumer;

/**
 * What a task that stands nowhere yet brings into the commit that creates it.
 *
 * @param rest the guards and writes that belong to it: those of its job's cursor
 * @param done told the revision, before the task counts as given
 * @param alone creates it in a commit of its own, to wait for a worker
 */
public record Creation(Commit rest, LongConsumer done, Runnable alone) {}
