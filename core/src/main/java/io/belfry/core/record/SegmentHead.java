package io.belfry.core.record;

import io.belfry.model.task.StateName;
import java.util.List;

/**
 * Describes a {@link HistoryEndedBatch}, so that most need not be read.
 *
 * @param firstEnd of the task that ended first, in milliseconds
 * @param lastEnd of the task that ended last
 * @param ends how many ended in each of {@link Rollup#ENDS}
 * @param rated how many started under a rate limit
 * @param until when it expires, in milliseconds; the smallest number if its tasks are also in a merged segment
 * @param bytes the size of the segment
 * @param tasks filter of its task ids
 * @param jobs filter of the ids of its tasks' jobs
 */
public record SegmentHead(
    int count,
    long firstEnd,
    long lastEnd,
    List<Integer> ends,
    int rated,
    long until,
    int bytes,
    Bloom tasks,
    Bloom jobs) {

  private static final long ELSEWHERE = Long.MIN_VALUE;

  public int count(StateName end) {
    int place = Rollup.ENDS.indexOf(end);
    return place < 0 ? 0 : ends.get(place);
  }

  /** Whether its tasks are also in a merged segment, and it is kept only for readers that have already started. */
  public boolean isElsewhere() {
    return until == ELSEWHERE;
  }

  public SegmentHead elsewhere() {
    return new SegmentHead(count, firstEnd, lastEnd, ends, rated, ELSEWHERE, bytes, tasks, jobs);
  }

  public SegmentHead withRated(int tasksWithRate) {
    return new SegmentHead(
        count, firstEnd, lastEnd, ends, tasksWithRate, until, bytes, tasks, jobs);
  }
}
