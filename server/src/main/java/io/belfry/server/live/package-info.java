/**
 * Live streams of events and logs.
 *
 * <pre>
 *   Belfry ──callback──▶ EventHub (the last 10,000 events) ──▶ readers, each on its own thread ──▶ text/event-stream
 *   Belfry ◀──polls─── LogTail ──▶ new lines of a task's log
 * </pre>
 *
 * <p>Law: a slow reader affects only itself; a reader that missed events is notified.
 */
@NullMarked
package io.belfry.server.live;

import org.jspecify.annotations.NullMarked;
