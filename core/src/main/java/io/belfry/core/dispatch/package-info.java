/**
 * Which waiting task goes next, and to which worker. No store, no thread, no clock: the leader loop asks, and commits what it is
 * told.
 *
 * <pre>
 *   add ──▶ not due yet ──due──▶ lane ─┐
 *                                lane ─┼─▶ row ─┐
 *                                lane ─┘  row ──┼─▶ first takeable task ──strategy──▶ worker with credit ──▶ Match
 *                                               ┘          │                              ▲
 *           a lane at its limit, a row without a worker:   │                              │
 *           set aside until that limit, that worker frees ◀┘          ended · undo · worker seen
 * </pre>
 *
 * <p>A row holds what the same workers may take (queue and labels); a lane, within it, what counts against the same limit.
 * Work per task is logarithmic in tasks, lanes and rows, because what cannot go is not looked at again until that may have
 * changed; only choosing among the workers with credit looks at each of them.
 *
 * <p>Law: the match is always the first takeable task in the order of {@link io.belfry.core.dispatch.Dispatcher}; no task
 * waits while its limit is free and a worker that may take it has credit.
 */
@NullMarked
package io.belfry.core.dispatch;

import org.jspecify.annotations.NullMarked;
