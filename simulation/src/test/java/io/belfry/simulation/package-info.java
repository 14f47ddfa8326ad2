/**
 * A whole cluster on one thread: virtual time, one seed, laws after every step.
 *
 * <pre>
 *                    ┌──────────────── World: (time, order) ▶ step ▶ laws ────────────────┐
 *   FaultPlan ──▶ Cluster ──▶ SimNode: clocks, loops, SimLauncher ──▶ Ledger ──────────▶ Laws
 *                    │           │ SimStore: delays, losses, unknown outcomes              ▲
 *                    └──────▶ SimEngine: Refusals, commits, leases, feeds, rollback ──steps┘
 * </pre>
 *
 * <p>The loops of the core run here unchanged. What is replaced is time, chance, the transport of the store and the launcher of user
 * code.
 *
 * <p>Law: the same seed gives the same trace, in any process, on any day.
 */
@NullMarked
package io.belfry.simulation;

import org.jspecify.annotations.NullMarked;
