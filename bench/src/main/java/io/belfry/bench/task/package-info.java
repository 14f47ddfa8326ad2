/**
 * Whole tasks, from the submission or the fire to the accepted end.
 *
 * <pre>
 *   TaskBench · LatenessBench · JobsBench · HerdBench · FlatBench
 *        └─▶ Node: scheduler + workers + submitter on one store     Meter: CPU of this process and of the engine's
 * </pre>
 *
 * <p>Law: a run in which a task ran twice, got lost or began early ends with an error, not with a figure.
 */
@NullMarked
package io.belfry.bench.task;

import org.jspecify.annotations.NullMarked;
