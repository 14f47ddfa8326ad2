/**
 * How finished tasks are kept, found and forgotten.
 *
 * <pre>
 *   worker, leader ──▶ h0 lots ──fold──▶ h1 packs + hx heads + he expiry ──trim──▶ gone
 *                          │      ├────▶ hn counts, if only the last of a job must be kept ──trim──▶ gone with their packs, earlier
 *                          │      ├────▶ r  rollups, hour by hour ── 8 days ──▶ day by day ──trim──▶ gone, later
 *                          │      └────▶ rb batches of rollups, if there are many jobs ──roll──▶ r
 *                          └───────┬─────────┘
 *   any node ◀── History ──────────┘  (live tasks first, then h0, then h1: the way a task goes)
 * </pre>
 *
 * <p>When an hour is over its small packs are put together ({@link io.belfry.core.retain.Merging}), and stay beside the large ones for a
 * while, marked, for those who are reading.
 *
 * <p>Only the leader folds, merges and trims. A fold is one commit: it deletes lots, each guarded by its revision, and puts what was in them
 * into packs and rollups. So a crash, a lost answer or a second leader can neither lose a task, nor keep or count it twice.
 *
 * <p>A lot may be folded as soon as it is there, and owes nothing: what is to be started after its tasks is found through it ({@link
 * io.belfry.core.retain.Debts}). Nobody who wrote it needs it to learn what became of his commit: a worker learns it
 * from its chain ({@link io.belfry.core.commit.Chain}), a leader from the task's own key, and each of these also keeps a late copy
 * of the commit from bringing the lot back. Lots wait only so that packs grow large.
 *
 * <p>What processes told each other is forgotten here, too, an hour after whoever it belongs to has gone ({@link
 * io.belfry.core.retain.Orphans}).
 *
 * <p>Readers go the way that tasks go. What has moved on before they came is found where they come next.
 *
 * <p>Law: a finished task lies in exactly one lot or one pack that is not marked, and is counted in exactly one rollup if it lies in a pack.
 */
@NullMarked
package io.belfry.core.retain;

import org.jspecify.annotations.NullMarked;
