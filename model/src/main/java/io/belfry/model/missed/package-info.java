/**
 * Misfire handling: what happens to instants that were not fired in time, after a restart, a failover, a pause, a long garbage
 * collection or a clock step. One rule covers all of them.
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
 * <p>Law: every due instant ends in a fire or in exactly one skipped range with its reason. The cost does not depend on the length of
 * the outage.
 */
@NullMarked
package io.belfry.model.missed;

import org.jspecify.annotations.NullMarked;
