package io.belfry.core.record;

import java.util.List;

/**
 * How far batches of rollups have been added to the rollups of each job.
 *
 * @param batches the names of the batches, which are added together
 * @param lastJob the last job to which they have been added, in the order of jobs and hours
 * @param lastHour the hour of that rollup
 */
public record RollupProgress(List<String> batches, String lastJob, long lastHour) {

  public RollupProgress {
    batches = List.copyOf(batches);
  }
}
