/**
 * Runs attempts on a worker.
 *
 * <pre>
 *   leader ──inbox──▶ InboxWatch ──▶ Worker ──▶ Launcher ──▶ Reporter ──▶ store
 *   operators ──WorkerOrders──▶ order for the worker ──▶ WorkerInstructions ──▶ its capacity, shown by its next heartbeat, at once
 * </pre>
 *
 * <p>Law: no code starts while the worker's lease is not trusted, and no result is written except with the attempt's fencing token.
 */
@NullMarked
package io.belfry.core.worker;

import org.jspecify.annotations.NullMarked;
