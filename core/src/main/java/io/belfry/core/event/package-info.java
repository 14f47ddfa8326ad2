/**
 * What happened, for whoever wants to know: callbacks, metrics, the event feed and tests hear the same.
 *
 * <p>Law: nothing is decided by an event, and the events of one task come in their order.
 */
@NullMarked
package io.belfry.core.event;

import org.jspecify.annotations.NullMarked;
