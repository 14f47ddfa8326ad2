/**
 * A witness outside Belfry: what task bodies really did, held against what was promised.
 *
 * <pre>
 *   task bodies ──START, END──▶ ledger (in the process that nobody harms, append-only, with a fence)
 *   client ──submits, cancels: asked, answered──────┐
 *   due instants, enumerated without Belfry's cron ─┤
 *   what befell which process, and when ────────────┼──▶ checker ──▶ verdicts
 *   what leaders wrote, by revisions ───────────────┤
 *   history as Belfry tells it ─────────────────────┘
 *
 *   process ──NodeLink: a proxy per server──▶ engine     only for faults that cut or slow down: F5, F11
 * </pre>
 *
 * <p>Law: nothing here shares code with what it judges, beyond the names of tasks.
 */
@NullMarked
package io.belfry.tests.witness;

import org.jspecify.annotations.NullMarked;
