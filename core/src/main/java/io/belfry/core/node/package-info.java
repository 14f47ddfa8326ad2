/**
 * A node: it announces itself; a scheduler also follows all cursors, takes part in leader election, and schedules while it leads.
 *
 * <pre>
 *   Presence ──record, under a lease──▶ store ──▶ Nodes: clocks of the other nodes, events they subscribe to
 *                                                   │
 *                   Election ◀── lets others try first while its clock is off, steps down if it leads
 * </pre>
 *
 * <p>Law: a standby's copy turns taking over into reading a delta instead of everything; it is a cache, and decides nothing.
 */
@NullMarked
package io.belfry.core.node;

import org.jspecify.annotations.NullMarked;
