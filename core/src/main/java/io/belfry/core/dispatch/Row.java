package io.belfry.core.dispatch;

import io.belfry.model.job.Limit;
import java.util.HashMap;
import java.util.Map;

/** The waiting tasks that the same workers may take; set aside as a whole while none of those has credit. */
final class Row<T> extends Heap.Node {
  private static final Lane.Key UNLIMITED = new Lane.Key(Limit.NONE, "");

  final Need need;
  final Shortlist shortlist;
  final Heap<Lane<T>> lanes = new Heap<>(Lane::goesFirst);
  final Lane<T> unlimited = new Lane<>(this, UNLIMITED);
  private final Map<Lane.Key, Lane<T>> limited = new HashMap<>();
  boolean aside;
  boolean paused;

  /** Tasks of this row, due or not: a row that nobody is in may be forgotten. */
  int size;

  Row(Need need) {
    this.need = need;
    this.shortlist = new Shortlist(need);
  }

  Lane<T> laneOf(WaitingTask<T> task) {
    if (!task.isLimited()) {
      return unlimited;
    }
    return limited.computeIfAbsent(
        new Lane.Key(task.limit(), task.limitKey()), key -> new Lane<>(this, key));
  }

  /** Forgets a lane that nobody is in. */
  void forget(Lane<T> lane) {
    limited.remove(lane.key, lane);
  }

  boolean isReady() {
    return !aside && !paused && !lanes.isEmpty();
  }

  static <T> boolean goesFirst(Row<T> a, Row<T> b) {
    return Lane.goesFirst(a.lanes.first(), b.lanes.first());
  }
}
