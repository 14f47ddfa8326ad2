/**
 * Access to wall-clock time and to monotonic time.
 *
 * <p>Law: nothing outside this package reads a clock; code that needs the time is passed a {@link
 * io.belfry.model.time.Time}.
 */
@NullMarked
package io.belfry.model.time;

import org.jspecify.annotations.NullMarked;
