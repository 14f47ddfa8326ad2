/**
 * Gives waiting tasks to workers.
 *
 * <pre>
 *   Dispatcher ──match──▶ TaskAssigner ──commit──▶ tasks assigned, inbox of the worker
 *              ──admit──▶ PullOffers ───commit──▶ offer of the queue, from which workers claim
 * </pre>
 *
 * <p>Law: a worker runs only what is committed as its own.
 */
@NullMarked
package io.belfry.core.leader.assign;

import org.jspecify.annotations.NullMarked;
