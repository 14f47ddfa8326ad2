/**
 * What happens when a worker is silent.
 *
 * <pre>
 *   worker records ──▶ WorkerTracker ──lease ended──▶ TaskRescuer ──commit──▶ tasks pending or ended
 *                            └────── token not named ──▶ Redelivery
 *   held tasks ──────▶ OverdueAttempts ──timeout passed──▶ attempt ended
 * </pre>
 *
 * <p>Law: a task is taken from a worker only by a commit that is guarded by the absence of the worker's record.
 */
@NullMarked
package io.belfry.core.leader.rescue;

import org.jspecify.annotations.NullMarked;
