/**
 * Reads what a job says about its executor.
 *
 * <p>Law: a setting that is not understood is refused with its path, never passed over.
 */
@NullMarked
package io.belfry.executors.settings;

import org.jspecify.annotations.NullMarked;
