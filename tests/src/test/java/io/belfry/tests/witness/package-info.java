/**
 * A witness outside Belfry: what task bodies really did, held against what was promised.
 *
 * <pre>
 *   task bodies ──START, END──▶ ledger (a process of its own, append-only, with a fence)
 *   client ──────asked, answered──▶ acknowledged jobs
 *   due instants, enumerated without Belfry's cron ──┐
 *   history as Belfry tells it ──────────────────────┼──▶ checker ──▶ verdicts
 * </pre>
 *
 * <p>Law: nothing here shares code with what it judges, beyond the names of tasks.
 */
@NullMarked
package io.belfry.tests.witness;

import org.jspecify.annotations.NullMarked;
