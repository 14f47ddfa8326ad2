/**
 * A node: says that it is there, and, as a scheduler, follows the cursors always, takes part in the election, and reigns while it leads.
 *
 * <pre>
 *   Presence ──record, under a lease──▶ store ──▶ Nodes: clocks of the others, what they want to hear of
 *                                                   │
 *                   Election ◀── lets others go first while its clock is off, gives way while it leads
 * </pre>
 *
 * <p>Law: what a standby follows makes taking over a delta and not a load; it is a cache, and decides nothing.
 */
@NullMarked
package io.belfry.core.node;

import org.jspecify.annotations.NullMarked;
