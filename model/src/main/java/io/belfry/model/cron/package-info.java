/**
 * Cron: from an expression to the instants it names, in any time zone.
 *
 * <pre>
 *   "0 30 2 * * MON-FRI"                       ZoneId              DstRule
 *          |                                     |                    |
 *       Parser --> Pattern (bit sets)        ZoneClock                |
 *                     | clock times              | offset windows     |
 *                     +-------> CalendarCron <---+--------------------+
 *                                    |
 *             next, previous, preview (Fire), describe (Wording)
 * </pre>
 *
 * <p>{@link io.belfry.model.cron.Cron} is the door. {@code @every} is a kind of its own, {@code
 * EveryCron}, because it counts elapsed time from an anchor.
 *
 * <p>Law: nothing here reads a clock or rolls dice; the same expression, zone, rule and instant give
 * the same answer on every node.
 */
@NullMarked
package io.belfry.model.cron;

import org.jspecify.annotations.NullMarked;
