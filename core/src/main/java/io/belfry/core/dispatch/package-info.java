/**
 * Decides which waiting task goes next, and to which worker. It uses no store, no thread and no clock: the leader loop asks, and
 * commits the answer.
 *
 * <pre>
 *   add ──▶ not due yet ──due──▶ lane ─┐
 *                                lane ─┼─▶ row ─┐
 *                                lane ─┘  row ──┼─▶ first takeable task ──strategy──▶ worker with credit ──▶ Match
 *                                               ┘          │                              ▲
 *           a lane at its limit, a row without a worker:   │                              │
 *           set aside until the limit or a worker is free ◀┘          ended · undo · worker seen
 * </pre>
 *
 * <p>A row holds the tasks that the same workers may take (queue and labels); a lane, within it, the tasks that count against the same
 * limit. Work per task is logarithmic in tasks, lanes and rows, because what is blocked is not checked again until that may have
 * changed; only choosing among the workers with credit visits each of them.
 *
 * <p>Law: the match is always the first takeable task in the order of {@link io.belfry.core.dispatch.Dispatcher}; no task
 * waits while its limit is free and a worker that may take it has credit.
 */
@NullMarked
package io.belfry.core.dispatch;

import org.jspecify.annotations.NullMarked;
