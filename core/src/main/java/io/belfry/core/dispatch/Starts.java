package io.belfry.core.dispatch;

import io.belfry.model.job.Rate;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The starts of the last window under one rate, in at most {@value #LOTS} lots. A lot counts in full until its latest start
 * is one window old. Lots follow one another in time, so only the oldest can contain starts older than the window: never
 * more than {@code count} starts in any window (closed at one end), and never fewer allowed than {@code count} minus one lot.
 * Up to {@value #LOTS} starts per window a lot is a single start, and the limit is exact.
 */
final class Starts {
  private static final int LOTS = 64;

  private static final class Lot {
    long earliest;
    long latest;
    int size;

    Lot(long earliest) {
      this.earliest = earliest;
    }
  }

  final Rate rate;
  private final long window;
  private final int lotSize;
  private final Deque<Lot> lots = new ArrayDeque<>(2);
  private int total;

  Starts(Rate rate) {
    this.rate = rate;
    window = rate.per().length().toNanos();
    lotSize = Math.ceilDiv(rate.count(), LOTS);
  }

  /** Copies the starts that another rate of the same key remembers, for a rate that is new to the key. */
  Starts(Rate rate, Starts other) {
    this(rate);
    for (Lot lot : other.lots) {
      var copy = new Lot(lot.earliest);
      copy.latest = lot.latest;
      copy.size = lot.size;
      lots.add(copy);
    }
    total = other.total;
  }

  boolean mayStart(long nanos) {
    expire(nanos);
    return total < rate.count();
  }

  /** When to ask again after a refusal, in monotonic time. */
  long freeAt() {
    return lots.getFirst().latest + window;
  }

  boolean isForgettable(long nanos) {
    expire(nanos);
    return total == 0;
  }

  void started(long nanos) {
    expire(nanos);
    Lot newest = lots.peekLast();
    if (newest == null || newest.size >= lotSize) {
      newest = new Lot(nanos);
      lots.add(newest);
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
    Deque<Lot> later = new ArrayDeque<>();
    while (!lots.isEmpty() && lots.getLast().earliest - nanos > 0) {
      later.addFirst(lots.removeLast());
    }
    Lot before = lots.peekLast();
    Lot after = later.peekFirst();
    if (before != null && (before.latest - nanos >= 0 || before.size < lotSize)) {
      before.latest = before.latest - nanos >= 0 ? before.latest : nanos;
      before.size++;
    } else if (after != null && after.size < lotSize) {
      after.earliest = nanos;
      after.size++;
    } else {
      var alone = new Lot(nanos);
      alone.latest = nanos;
      alone.size = 1;
      lots.add(alone);
    }
    lots.addAll(later);
    total++;
  }

  /** Removes the start at that time from its lot, if it still counts. */
  void undo(long nanos) {
    for (var each = lots.iterator(); each.hasNext(); ) {
      Lot lot = each.next();
      if (nanos - lot.earliest >= 0 && lot.latest - nanos >= 0) {
        lot.size--;
        total--;
        if (lot.size == 0) {
          each.remove();
        }
        return;
      }
    }
  }

  private void expire(long nanos) {
    Lot oldest = lots.peekFirst();
    while (oldest != null && nanos - oldest.latest >= window) {
      total -= oldest.size;
      lots.removeFirst();
      oldest = lots.peekFirst();
    }
  }
}
