/**
 * One thread's worth of time, chance and order, which everything else in the core stands on.
 *
 * <pre>
 *   any thread ──post──▶ mailbox ──▶ step · step · step        one after another, in order
 *   stopwatch ───in────▶ timers  ──▶
 * </pre>
 *
 * <p>Law: state that belongs to a loop is touched only by steps of that loop.
 */
@NullMarked
package io.belfry.core.loop;

import org.jspecify.annotations.NullMarked;
