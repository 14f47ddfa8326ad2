/**
 * Measures this installation: {@code belfry bench}.
 *
 * <pre>
 *   BenchCommand ──▶ BenchStore (a directory or namespace of its own, removed at the end) ──▶ Bench ──▶ BenchResult ──▶ table, chart, JSON
 * </pre>
 *
 * <p>Law: bounded in time and number of tasks; leaves nothing behind.
 */
@NullMarked
package io.belfry.dist.bench;

import org.jspecify.annotations.NullMarked;
