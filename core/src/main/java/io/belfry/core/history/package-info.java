/**
 * Stores, finds and deletes finished tasks.
 *
 * <pre>
 *   worker, leader ──▶ h0 batches ──fold──▶ h1 segments + hx heads + he expiry ──trim──▶ gone
 *                          │      ├────▶ hn counts, if only a job's last tasks are kept ──trim──▶ gone with their segments, earlier
 *                          │      ├────▶ r  rollups, hour by hour ── 8 days ──▶ day by day ──trim──▶ gone, later
 *                          │      └────▶ rb batches of rollups, if there are many jobs ──roll──▶ r
 *                          └───────┬─────────┘
 *   any node ◀── History ──────────┘  (live tasks first, then h0, then h1: the way a task moves)
 * </pre>
 *
 * <p>When an hour is over its small segments are merged ({@link io.belfry.core.history.Merging}), and stay beside the large ones for a
 * while, marked, for readers that have already started.
 *
 * <p>Only the leader folds, merges and trims. A fold is one commit: it deletes batches, each guarded by its revision, and puts their tasks
 * into segments and rollups. So a crash, a lost answer or a second leader can neither lose a task, nor keep or count it twice.
 *
 * <p>A batch may be folded at once, unless follow-up jobs of its tasks are still to be started: these are found through it ({@link
 * io.belfry.core.history.FoldBlockers}). Its writer does not need it to learn the outcome of its commit: a worker learns it
 * from its chain ({@link io.belfry.core.commit.CommitChain}), a leader from the task's own key, and each of these also keeps a late copy
 * of the commit from bringing the batch back. Batches wait only so that segments grow large.
 *
 * <p>Messages between processes are deleted here, too, an hour after their owner has gone ({@link
 * io.belfry.core.history.Orphans}).
 *
 * <p>Readers go the way that tasks move. A task that has moved on before they came is found where they read next.
 *
 * <p>Law: a finished task is in exactly one batch or one unmarked segment, and is counted in exactly one rollup if it is in a segment.
 */
@NullMarked
package io.belfry.core.history;

import org.jspecify.annotations.NullMarked;
