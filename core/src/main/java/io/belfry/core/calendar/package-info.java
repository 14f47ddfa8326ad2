/**
 * Decides which days are included: weekly rules, dates, ranges, yearly days, public-holiday files.
 *
 * <pre>
 *   rules of the base calendar   + MON-FRI
 *   own rules, in order          − holidays of a file    − 2027-12-24..2027-12-31    + 2027-02-06 (replacement working day)
 *                                                                                   the last rule that matches a day decides
 *   no rule matches it           the default: include or exclude
 * </pre>
 *
 * <p>The trigger's time zone decides to which day an instant belongs, or the calendar's if the trigger has none.
 *
 * <p>Law: a calendar answers from its own rules, at once and the same everywhere; nothing in it depends on today.
 */
@NullMarked
package io.belfry.core.calendar;

import org.jspecify.annotations.NullMarked;
