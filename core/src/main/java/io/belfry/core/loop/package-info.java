/**
 * A single-threaded event loop: the source of time, random numbers and order for the rest of the core.
 *
 * <pre>
 *   any thread ───────post──▶ mailbox ──▶ step · step · step        one after another, in order
 *   monotonic clock ───in───▶ timers  ──▶
 * </pre>
 *
 * <p>Law: state that belongs to a loop is touched only by steps of that loop.
 */
@NullMarked
package io.belfry.core.loop;

import org.jspecify.annotations.NullMarked;
