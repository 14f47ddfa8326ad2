/**
 * The heart: decides who leads, turns the calendar into durable tasks, gives them to workers, and makes up for those that die.
 *
 * <pre>
 *             ┌────────────── leader, for one term ──────────────┐
 *   jobs ──▶ fire ──▶ task ──▶ dispatch ──▶ inbox of a worker ──▶ work ──▶ history
 *             ▲                    ▲                               │
 *            lead                rescue ◀──── lease ended ─────────┘
 * </pre>
 *
 * <p>Every loop is one actor on one {@link io.belfry.core.loop.Loop}: events in, batches of guarded commits out. No loop blocks,
 * reads a clock of its own or rolls its own dice, so that a whole cluster runs on one thread with one seed.
 *
 * <p>Law: nothing is decided on a read alone. What is believed from a watch or a scan is put into the guards of the commit that
 * acts on it.
 */
@NullMarked
package io.belfry.core;

import org.jspecify.annotations.NullMarked;
