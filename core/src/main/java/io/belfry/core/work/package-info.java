/**
 * Carrying out attempts.
 *
 * <pre>
 *   leader ──inbox──▶ Orders ──▶ Worker ──▶ Launcher ──▶ Reporter ──▶ store
 *   people ──WorkerOrders──▶ order of the worker ──▶ Instructions ──▶ how much it takes; shown by its next heartbeat, at once
 * </pre>
 *
 * <p>Law: no code is started without trust in the worker's lease, and no result is written except under the attempt's token.
 */
@NullMarked
package io.belfry.core.work;

import org.jspecify.annotations.NullMarked;
