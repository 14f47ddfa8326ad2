/**
 * Cron: from an expression to the instants it names, in any time zone.
 *
 * <p>Law: nothing here reads a clock or rolls dice; the same expression, zone, rule and instant give
 * the same answer on every node.
 */
@NullMarked
package io.belfry.model.cron;

import org.jspecify.annotations.NullMarked;
