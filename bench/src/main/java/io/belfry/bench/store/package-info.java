/**
 * Benchmarks of the stores: records per second, compared with the engine without Belfry.
 *
 * <pre>
 *   StoreBench ── per engine, alternating ──▶ Callers ──▶ Store ──▶ engine
 *                                        └──▶ RawEngine ──────────▶ engine
 * </pre>
 *
 * Law: every figure is printed with the raw limit of the same run, because machines and their load differ.
 */
@NullMarked
package io.belfry.bench.store;

import org.jspecify.annotations.NullMarked;
