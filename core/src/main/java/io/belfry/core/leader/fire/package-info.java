/**
 * Turns due instants of jobs into tasks.
 *
 * <pre>
 *   JobTable ──due──▶ JobFirer ──▶ JobDefinitions ──▶ FirePlan ──▶ FireBatch ──commit──▶ tasks, skips, cursor
 * </pre>
 *
 * <p>Law: a task and the advance of its job's cursor are one commit, so that each instant has exactly one outcome.
 */
@NullMarked
package io.belfry.core.leader.fire;

import org.jspecify.annotations.NullMarked;
