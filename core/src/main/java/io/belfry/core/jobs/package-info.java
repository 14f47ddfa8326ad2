/**
 * Saves, changes and deletes jobs and calendars, and sends requests to the leader, on any node.
 *
 * <pre>
 *   put ──▶ read definition and cursor ──▶ commit(both unchanged): definition, version, cursor ──▶ the leader's watch gets the cursor
 *     ▲                                        │ refused: a concurrent change came first
 *     └────────────────────────────────────────┘
 * </pre>
 *
 * <p>A key of its own records that a job runs after another, and one edition, which {@code JobDependencies} guards, covers all these keys.
 *
 * <p>The calendar of a job guards the job's save; every change of a calendar rewrites an edition, which guards the leader's fires,
 * and marks that cursors must be planned anew.
 *
 * <p>Every saved definition is stored as a version, by its generation: the last few, also for a deleted job.
 *
 * <p>Law: every change of a job rewrites its cursor in the same commit, so that no fire of the old definition can follow it.
 */
@NullMarked
package io.belfry.core.jobs;

import org.jspecify.annotations.NullMarked;
