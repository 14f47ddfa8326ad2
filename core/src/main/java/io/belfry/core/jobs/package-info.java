/**
 * Saving, changing and deleting jobs and calendars, and asking things of the leader, on any node.
 *
 * <pre>
 *   put ──▶ read definition and cursor ──▶ commit(both unchanged): definition, version, cursor ──▶ the leader hears the cursor
 *     ▲                                        │ refused: somebody was faster
 *     └────────────────────────────────────────┘
 * </pre>
 *
 * <p>A job that runs after another is tied to it by a key of its own, and all these keys by one edition, which {@code Ties} guards.
 *
 * <p>A job that goes by a calendar is guarded by it when it is saved; every change of a calendar rewrites an edition, by which the leader's
 * fires are guarded, and leaves word that cursors are to be planned anew.
 *
 * <p>Every definition that was saved is kept as a version, by its generation: the last few, also of a job that is gone.
 *
 * <p>Law: every change of a job rewrites its cursor in the same commit, so that no fire of the old definition can follow it.
 */
@NullMarked
package io.belfry.core.jobs;

import org.jspecify.annotations.NullMarked;
