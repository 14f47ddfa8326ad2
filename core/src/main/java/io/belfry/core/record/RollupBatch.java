package io.belfry.core.record;

import java.util.List;

/**
 * Rollups of many jobs in one value, to be added to the rollup of each job.
 *
 * @param sheets at most one for each job and hour
 */
public record RollupBatch(List<Sheet> sheets) {

  /**
   * One rollup.
   *
   * @param job empty for tasks without a job
   */
  public record Sheet(String job, long hour, Rollup rollup) {}

  public RollupBatch {
    sheets = List.copyOf(sheets);
  }
}
