/**
 * Carrying out attempts.
 *
 * <p>Law: no code is started without trust in the worker's lease, and no result is written except under the attempt's token.
 */
@NullMarked
package io.belfry.core.work;

import org.jspecify.annotations.NullMarked;
