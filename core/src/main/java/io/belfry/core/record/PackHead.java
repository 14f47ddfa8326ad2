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
 * @param tasks ids that are in it
 * @param jobs ids of jobs whose tasks are in it
 */
public record PackHead(
    int count,
    long firstEnd,
    long lastEnd,
    List<Integer> ends,
    int rated,
    Bloom tasks,
    Bloom jobs) {

  public int count(StateName end) {
    int place = Rollup.ENDS.indexOf(end);
    return place < 0 ? 0 : ends.get(place);
  }
}
