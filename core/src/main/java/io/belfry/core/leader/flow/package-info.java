/**
 * What follows the end of a task: jobs that run after other jobs.
 *
 * <pre>
 *   history batches ──▶ AfterJobs ──▶ AfterJobIndex ──▶ AfterJobBatch ──commit──▶ tasks, skips, cursors, progress of the history batch
 * </pre>
 *
 * <p>Law: the history batch of the ended task is rewritten by the commit that starts what follows, so that each end is followed once.
 */
@NullMarked
package io.belfry.core.leader.flow;

import org.jspecify.annotations.NullMarked;
