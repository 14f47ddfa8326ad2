/**
 * What this installation can do: {@code belfry bench}.
 *
 * <pre>
 *   BenchCommand ──▶ Place (a store of its own, removed at the end) ──▶ Bench ──▶ Figures ──▶ table, chart, JSON
 * </pre>
 *
 * <p>Law: bounded in time and number; nothing of it stays.
 */
@NullMarked
package io.belfry.dist.bench;

import org.jspecify.annotations.NullMarked;
