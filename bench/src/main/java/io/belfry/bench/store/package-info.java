/**
 * How many records a second each store takes, beside what its engine takes without Belfry.
 *
 * <pre>
 *   StoreBench ── per engine, alternating ──▶ Callers ──▶ Store ──▶ engine
 *                                        └──▶ Raw ────────────────▶ engine
 * </pre>
 *
 * Law: a figure is printed beside the raw limit of the same run, because machines differ and days differ.
 */
@NullMarked
package io.belfry.bench.store;

import org.jspecify.annotations.NullMarked;
