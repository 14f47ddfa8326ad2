/**
 * What happened, for whoever wants to know: callbacks, metrics, the event feed and tests hear the same.
 *
 * <pre>
 *   leader: term ──saw──▶ Publisher ──▶ observer of this node
 *                              └─ only kinds that other nodes' records ask for ──▶ lot ──feed──▶ Listener ──▶ InOrder ──▶ observer there
 * </pre>
 *
 * <p>Law: nothing is decided by an event, the events of one task come in their order, and what nobody wants to hear costs nothing.
 */
@NullMarked
package io.belfry.core.event;

import org.jspecify.annotations.NullMarked;
