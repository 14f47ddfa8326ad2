/**
 * The trace that an attempt belongs to, for those who follow a call through several systems.
 *
 * <p>Law: all attempts of a task are one trace, wherever they run, and each is a span of its own.
 */
@NullMarked
package io.belfry.executors.trace;

import org.jspecify.annotations.NullMarked;
