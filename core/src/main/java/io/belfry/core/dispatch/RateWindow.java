package io.belfry.core.dispatch;

import io.belfry.model.job.Rate;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The starts of the last window under one rate, in at most {@value #BATCHES} batches. A batch counts in full until its latest start
 * is one window old. Batches follow one another in time, so only the oldest can contain starts older than the window: never
 * more than {@code count} starts in any window (closed at one end), and never fewer allowed than {@code count} minus one batch.
 * Up to {@value #BATCHES} starts per window a batch is a single start, and the limit is exact.
 */
final class RateWindow {
  private static final int BATCHES = 64;

  private static final class Batch {
    long earliest;
    long latest;
    int size;

    Batch(long earliest) {
      this.earliest = earliest;
    }
  }

  final Rate rate;
  private final long window;
  private final int batchSize;
  private final Deque<Batch> batches = new ArrayDeque<>(2);
  private int total;

  RateWindow(Rate rate) {
    this.rate = rate;
    window = rate.per().length().toNanos();
    batchSize = Math.ceilDiv(rate.count(), BATCHES);
  }

  /** Copies the starts that another rate of the same key remembers, for a rate that is new to the key. */
  RateWindow(Rate rate, RateWindow other) {
    this(rate);
    for (Batch batch : other.batches) {
      var copy = new Batch(batch.earliest);
      copy.latest = batch.latest;
      copy.size = batch.size;
      batches.add(copy);
    }
    total = other.total;
  }

  boolean mayStart(long nanos) {
    expire(nanos);
    return total < rate.count();
  }

  /** When to ask again after a refusal, in monotonic time. */
  long freeAt() {
    return batches.getFirst().latest + window;
  }

  boolean isForgettable(long nanos) {
    expire(nanos);
    return total == 0;
  }

  void started(long nanos) {
    expire(nanos);
    Batch newest = batches.peekLast();
    if (newest == null || newest.size >= batchSize) {
      newest = new Batch(nanos);
      batches.add(newest);
    }
    newest.latest = nanos;
    newest.size++;
    total++;
  }

  /** Adds a start that happened earlier; in any order. */
  void recalled(long nanos, long now) {
    expire(now);
    if (now - nanos >= window) {
      return;
    }
    Deque<Batch> later = new ArrayDeque<>();
    while (!batches.isEmpty() && batches.getLast().earliest - nanos > 0) {
      later.addFirst(batches.removeLast());
    }
    Batch before = batches.peekLast();
    Batch after = later.peekFirst();
    if (before != null && (before.latest - nanos >= 0 || before.size < batchSize)) {
      before.latest = before.latest - nanos >= 0 ? before.latest : nanos;
      before.size++;
    } else if (after != null && after.size < batchSize) {
      after.earliest = nanos;
      after.size++;
    } else {
      var alone = new Batch(nanos);
      alone.latest = nanos;
      alone.size = 1;
      batches.add(alone);
    }
    batches.addAll(later);
    total++;
  }

  /** Removes the start at that time from its batch, if it still counts. */
  void undo(long nanos) {
    for (var each = batches.iterator(); each.hasNext(); ) {
      Batch batch = each.next();
      if (nanos - batch.earliest >= 0 && batch.latest - nanos >= 0) {
        batch.size--;
        total--;
        if (batch.size == 0) {
          each.remove();
        }
        return;
      }
    }
  }

  private void expire(long nanos) {
    Batch oldest = batches.peekFirst();
    while (oldest != null && nanos - oldest.latest >= window) {
      total -= oldest.size;
      batches.removeFirst();
      oldest = batches.peekFirst();
    }
  }
}
