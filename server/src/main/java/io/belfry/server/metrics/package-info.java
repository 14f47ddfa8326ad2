/**
 * Figures for Prometheus, in its names and units.
 *
 * <p>Law: a scrape changes nothing, waits for nobody, and has no label whose values users could multiply.
 */
@NullMarked
package io.belfry.server.metrics;

import org.jspecify.annotations.NullMarked;
