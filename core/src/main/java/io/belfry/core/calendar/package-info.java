/**
 * Which days count: weekly rules, dates, ranges, yearly days, public-holiday files.
 *
 * <pre>
 *   rules of the base calendar   + MON-FRI
 *   own rules, in order          − holidays of a file    − 2027-12-24..2027-12-31    + 2027-02-06 (made up for)
 *                                                                                   the last rule that speaks of a day decides
 *   no rule speaks of it         the default: include or exclude
 * </pre>
 *
 * <p>Which day an instant belongs to is said by the trigger's zone, or by the calendar's where the trigger has none.
 *
 * <p>Law: a calendar answers from what it holds, at once and the same everywhere; nothing in it depends on today.
 */
@NullMarked
package io.belfry.core.calendar;

import org.jspecify.annotations.NullMarked;
