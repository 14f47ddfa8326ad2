/**
 * End-to-end benchmarks of tasks, from the submission or the fire to the accepted result.
 *
 * <pre>
 *   TaskBench · LatenessBench · JobsBench · HerdBench · FlatBench
 *        └─▶ Node: scheduler + workers + submitter on one store     CpuMeter: CPU of this process and of the engine
 * </pre>
 *
 * <p>Law: a run in which a task ran twice, was lost or started early ends with an error, not with a figure.
 */
@NullMarked
package io.belfry.bench.task;

import org.jspecify.annotations.NullMarked;
