package io.belfry.core.leader;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.fire.JobTable;
import io.belfry.core.history.RetainCounts;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.loop.Loop;
import io.belfry.store.Store;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a node brings into each of its terms. Threading: confined to its loop, but for the counters.
 *
 * @param name of the node, and its incarnation
 * @param jobs cursors of all jobs, kept up to date by the node
 * @param repaired counts cached records that differed from the store and were corrected
 * @param retained counts what the housekeeping of history meets and drops
 */
public record LeaderNode(
    Loop loop,
    Store store,
    String name,
    JobTable jobs,
    Strategies strategies,
    LeaderSettings settings,
    AtomicLong repaired,
    RetainCounts retained) {}
