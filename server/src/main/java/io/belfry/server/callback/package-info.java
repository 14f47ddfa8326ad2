/**
 * How long work that was handed to a service is reported back.
 *
 * <p>Law: an address is good for one attempt, once; nobody but who was given it can know it.
 */
@NullMarked
package io.belfry.server.callback;

import org.jspecify.annotations.NullMarked;
