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

  /** Where it stands while it is ready: among all that are pushed, or among those of its queue that workers claim. */
  Heap<Row<T>> place;

  /** Admitted and not claimed yet, in pull mode. */
  int admitted;

  /** As many are admitted as may be, until half of them have been claimed. */
  private boolean full;

  /** Tasks of this row, due or not: a row that nobody is in may be forgotten. */
  int size;

  Row(Need need, Heap<Row<T>> place) {
    this.need = need;
    this.place = place;
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
    return !aside && !paused && !full && !lanes.isEmpty();
  }

  void admitted(int change, int most) {
    admitted = Math.max(0, admitted + change);
    full = full ? admitted > most / 2 : admitted >= most;
  }

  static <T> boolean goesFirst(Row<T> a, Row<T> b) {
    return Lane.goesFirst(a.lanes.first(), b.lanes.first());
  }
}
