package io.belfry.core.record;

import io.belfry.model.task.StateName;
import java.util.List;

/**
 * What can be told of a {@link Pack} without reading it.
 *
 * @param firstEnd of the task that ended first, in milliseconds
 * @param lastEnd of the one that ended last
 * @param ends how many ended in each of {@link Rollup#ENDS}
 * @param rated how many were begun under a rate
 * @param until when it may be forgotten, in milliseconds; the smallest number if what is in it lies in a larger one as well
 * @param bytes what the pack weighs
 * @param tasks ids that are in it
 * @param jobs ids of jobs whose tasks are in it
 */
public record PackHead(
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

  /** Whether what is in it lies in a larger one as well, and it is kept only for those who are reading. */
  public boolean isElsewhere() {
    return until == ELSEWHERE;
  }

  public PackHead elsewhere() {
    return new PackHead(count, firstEnd, lastEnd, ends, rated, ELSEWHERE, bytes, tasks, jobs);
  }

  public PackHead withRated(int tasksWithRate) {
    return new PackHead(count, firstEnd, lastEnd, ends, tasksWithRate, until, bytes, tasks, jobs);
  }
}
