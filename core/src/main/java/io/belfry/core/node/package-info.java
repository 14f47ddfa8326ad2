/**
 * A scheduler node: follows the cursors always, takes part in the election, and reigns while it leads.
 *
 * <p>Law: what a standby follows makes taking over a delta and not a load; it is a cache, and decides nothing.
 */
@NullMarked
package io.belfry.core.node;

import org.jspecify.annotations.NullMarked;
