package io.belfry.core.record;

import java.util.List;

/**
 * Rollups of many jobs in one value, on their way to the rollup of each job.
 *
 * @param sheets each job and hour once
 */
public record RollupBatch(List<Sheet> sheets) {

  /**
   * One rollup.
   *
   * @param job empty for tasks that belong to none
   */
  public record Sheet(String job, long hour, Rollup rollup) {}

  public RollupBatch {
    sheets = List.copyOf(sheets);
  }
}
