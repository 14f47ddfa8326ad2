/**
 * The layout of the core's data in the store.
 *
 * <p>Law: every key that the core writes is named here, and nowhere else.
 */
@NullMarked
package io.belfry.core.keys;

import org.jspecify.annotations.NullMarked;
