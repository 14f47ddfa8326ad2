/**
 * Reads the executor settings of a job.
 *
 * <p>Law: an unknown setting is refused with its path, never ignored.
 */
@NullMarked
package io.belfry.executors.settings;

import org.jspecify.annotations.NullMarked;
