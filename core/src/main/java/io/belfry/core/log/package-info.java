/**
 * The progress and the logs of running attempts.
 *
 * <pre>
 *   code, any thread ──▶ LogBuffer ──first new line──▶ LogWriter (worker's loop) ──▶ store ──▶ LogReader, on any node
 *                        bounded, never blocks         once a second, one commit at a time
 * </pre>
 *
 * <p>Law: nothing here can fail, delay or outweigh an attempt. Everything is stored under the attempt's token, so that an attempt that
 * was given up writes only its own records.
 */
@NullMarked
package io.belfry.core.log;

import org.jspecify.annotations.NullMarked;
