/**
 * What happens, as it happens, for those who look on.
 *
 * <pre>
 *   Belfry ──callback──▶ EventHub (the last 10,000) ──▶ readers, each on its own thread ──▶ text/event-stream
 *   Belfry ◀──looks─── LogTail ──▶ what is new of a task's log
 * </pre>
 *
 * <p>Law: a slow reader costs itself only; whoever missed something is told.
 */
@NullMarked
package io.belfry.server.live;

import org.jspecify.annotations.NullMarked;
