/**
 * Attacks by many clients at once, on a server with its default settings.
 *
 * <p>Law: who has no token, or one that may only read, delays neither a health check nor a fire.
 */
@NullMarked
package io.belfry.tests.flood;

import org.jspecify.annotations.NullMarked;
