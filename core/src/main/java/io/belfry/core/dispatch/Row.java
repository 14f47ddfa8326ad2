package io.belfry.core.dispatch;

import io.belfry.model.job.Limit;
import java.util.HashMap;
import java.util.Map;

/** The waiting tasks that the same workers may take; set aside as a whole while none of those has credit. */
final class Row<T> extends Heap.Node {
  private static final Lane.Key UNLIMITED = new Lane.Key(Limit.NONE, "");

  final WorkerNeeds need;
  final Shortlist shortlist;
  final Heap<Lane<T>> lanes = new Heap<>(Lane::goesFirst);
  final Lane<T> unlimited = new Lane<>(this, UNLIMITED);
  private final Map<Lane.Key, Lane<T>> limited = new HashMap<>();
  boolean aside;
  boolean paused;

  /** The heap it is in while it is ready: of all rows in push mode, or of its queue's rows in pull mode. */
  Heap<Row<T>> place;

  /** Tasks admitted and not claimed yet, in pull mode. */
  int admitted;

  /** The maximum is admitted; stays set until half of them have been claimed. */
  private boolean full;

  /** Tasks of this row, due or not: an empty row may be removed. */
  int size;

  Row(WorkerNeeds need, Heap<Row<T>> place) {
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

  /** Removes an empty lane. */
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
