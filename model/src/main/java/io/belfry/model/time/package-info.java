/**
 * Time as two questions: what does the calendar say, and how long did it take.
 *
 * <p>Law: nothing outside this package reads a clock; whoever needs time is given a {@link
 * io.belfry.model.time.Time}.
 */
@NullMarked
package io.belfry.model.time;

import org.jspecify.annotations.NullMarked;
