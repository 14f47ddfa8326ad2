package io.belfry.core.dispatch;

import io.belfry.model.job.Limit;

/**
 * The due tasks of a row that count against the same limit; while the limit is reached, the whole lane is set aside. The tasks
 * of a row without a limit share one lane.
 */
final class Lane<T> extends Heap.Node {
  /**
   * @param limit part of the key, because a job's limit may be edited while tasks with the old one still wait
   */
  record Key(Limit limit, String text) {}

  final Row<T> row;
  final Key key;
  final Heap<Entry<T>> entries = new Heap<>(Entry::goesFirst);
  boolean aside;

  /** Tasks of this lane, due or not: an empty lane is removed. */
  int size;

  /** If it is set aside for a rate: when to try again. */
  long wakeNanos;

  Lane(Row<T> row, Key key) {
    this.row = row;
    this.key = key;
  }

  Entry<T> first() {
    return entries.first();
  }

  static <T> boolean goesFirst(Lane<T> a, Lane<T> b) {
    return Entry.goesFirst(a.first(), b.first());
  }

  static boolean wakesFirst(Lane<?> a, Lane<?> b) {
    return a.wakeNanos - b.wakeNanos < 0; // a monotonic clock may wrap
  }
}
