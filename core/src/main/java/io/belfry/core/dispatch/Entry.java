package io.belfry.core.dispatch;

import io.belfry.model.job.Priority;
import java.time.Instant;

/** A waiting task in one of the heaps: the tasks not due yet, or its lane. */
final class Entry<T> extends Heap.Node {
  /** Years ±3 million: prevents overflow in the arithmetic below for any instant. */
  private static final long SECONDS_MAX = 100_000_000_000_000L;

  private static final long MILLIS = 1_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  WaitingTask<T> task;
  final Lane<T> lane;
  boolean due;

  /** Due time in milliseconds, one ageing step earlier for each priority above the lowest. */
  private long rank;

  private final long order;

  Entry(WaitingTask<T> task, Lane<T> lane, long stepMillis) {
    this.task = task;
    this.lane = lane;
    this.order = task.order();
    become(task, stepMillis);
  }

  void become(WaitingTask<T> newTask, long stepMillis) {
    task = newTask;
    rank = millis(newTask.due()) - steps(newTask.priority()) * stepMillis;
  }

  long rank() {
    return rank;
  }

  static boolean goesFirst(Entry<?> a, Entry<?> b) {
    return a.rank != b.rank ? a.rank < b.rank : a.order < b.order;
  }

  static boolean isDueFirst(Entry<?> a, Entry<?> b) {
    return a.task.due().isBefore(b.task.due());
  }

  private static int steps(Priority priority) {
    return switch (priority) {
      case LOW -> 0;
      case NORMAL -> 1;
      case HIGH -> 2;
      case URGENT -> 3;
    };
  }

  private static long millis(Instant instant) {
    return Math.clamp(instant.getEpochSecond(), -SECONDS_MAX, SECONDS_MAX) * MILLIS
        + instant.getNano() / NANOS_PER_MILLI;
  }
}
