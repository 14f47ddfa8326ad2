/**
 * Callbacks: how a called service reports the end of asynchronous work.
 *
 * <p>Law: a callback address is valid for one attempt and one report, and only its receiver knows it.
 */
@NullMarked
package io.belfry.server.callback;

import org.jspecify.annotations.NullMarked;
