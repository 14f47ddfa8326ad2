/**
 * Distributed tracing: the trace and span of an attempt.
 *
 * <p>Law: all attempts of a task belong to one trace, on every worker, and each attempt is a span of its own.
 */
@NullMarked
package io.belfry.executors.trace;

import org.jspecify.annotations.NullMarked;
