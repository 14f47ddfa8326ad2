/**
 * What becomes of due instants that nobody fired in time: after a restart, a failover, a pause, a long
 * collection or a clock step. One rule for all of them.
 *
 * <pre>
 *        first due                                               now
 *   ──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┤
 *         └── too old ──┘      └─ too many ──┘      fire   fire
 *          one range record     one range record    (all)  (all, last)
 *                        ▲
 *                   now - maxAge
 * </pre>
 *
 * <p>Law: every due instant ends in a fire or inside exactly one skipped range with its reason, and
 * working that out costs the same after an hour and after a year.
 */
@NullMarked
package io.belfry.model.missed;

import org.jspecify.annotations.NullMarked;
