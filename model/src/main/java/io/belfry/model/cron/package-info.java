/**
 * Cron expressions: parsing, and computing the instants they fire at in any time zone.
 *
 * <pre>
 *   "0 30 2 * * MON-FRI"                       ZoneId              DstRule
 *          |                                     |                    |
 *       Parser --> Pattern (bit sets)        ZoneClock                |
 *                     | clock times              | offset windows     |
 *                     +-------> CalendarCron <---+--------------------+
 *                                    |
 *             next, previous, preview (Fire), describe (DescriptionRenderer)
 * </pre>
 *
 * <p>{@link io.belfry.model.cron.Cron} is the entry point. {@code @every} has its own class, {@code
 * EveryCron}, because it counts elapsed time from an anchor.
 *
 * <p>Law: nothing here reads a clock or uses a random source; the same expression, zone, rule and instant give
 * the same result on every node.
 */
@NullMarked
package io.belfry.model.cron;

import org.jspecify.annotations.NullMarked;
