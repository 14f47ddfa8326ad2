/**
 * Events for subscribers: callbacks, metrics, the event feed and tests receive the same.
 *
 * <pre>
 *   leader: term ──saw──▶ Publisher ──▶ observer of this node
 *                              └─ only kinds that other nodes subscribe to ──▶ batch ──feed──▶ Listener ──▶ InOrder ──▶ observer there
 * </pre>
 *
 * <p>Law: no decision depends on an event, the events of one task come in order, and an event without subscribers costs nothing.
 */
@NullMarked
package io.belfry.core.event;

import org.jspecify.annotations.NullMarked;
