/**
 * Exports metrics for Prometheus, with its names and units.
 *
 * <p>Law: a scrape changes nothing, blocks on nothing, and has no label whose number of values users control.
 */
@NullMarked
package io.belfry.server.metrics;

import org.jspecify.annotations.NullMarked;
