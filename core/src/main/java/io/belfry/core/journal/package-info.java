/**
 * What attempts say while they run: how far they have come, and their logs.
 *
 * <pre>
 *   code, any thread ──▶ Notebook ──first new line──▶ Scribe (worker's loop) ──▶ store ──▶ Journal, on any node
 *                        bounded, never waits         once a second, one commit at a time
 * </pre>
 *
 * <p>Law: nothing here can fail, delay or outweigh an attempt. Everything is kept under the attempt's token, so that an attempt that
 * was given up writes only what is its own.
 */
@NullMarked
package io.belfry.core.journal;

import org.jspecify.annotations.NullMarked;
