/**
 * Decides what is due, when, and how a job's cursor changes. No store, no threads, no clock of its own.
 *
 * <pre>
 *   cursors ──▶ JobTable ──due──▶ FirePlan ──▶ outcomes: fire, fire, skip from … to …
 *                  ▲                  │
 *                  └──── cursor ◀─────┘   committed together: outcomes and cursor, or neither
 * </pre>
 *
 * <p>Law: every due instant of a job is in exactly one outcome, or not before the cursor's next; and one plan costs the same after an
 * outage of a second and of a year. Losing the table loses nothing: it is rebuilt from the cursors.
 */
@NullMarked
package io.belfry.core.fire;

import org.jspecify.annotations.NullMarked;
