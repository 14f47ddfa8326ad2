package io.belfry.core.history;

import io.belfry.core.record.SegmentCount;
import java.util.Collections;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Tracks which of a job's tasks are not among its last, while segments are passed from new to old. Segments overlap, so a later piece may hold
 * newer tasks: only tasks that ended before all of enough others can be deleted. Threading: confined to the leader's loop.
 */
final class KeepLast {
  private final int keep;
  /** The pieces that stay, by their first end, newest first; empty once there are enough. */
  private final TreeMap<Long, Long> staying = new TreeMap<>(Collections.reverseOrder());

  private long total;
  /** Enough tasks ended then or later. */
  private OptionalLong since = OptionalLong.empty();

  KeepLast(int keep) {
    this.keep = keep;
  }

  /** Whether the job needs nothing of this piece; otherwise it stays, and counts. */
  boolean mayGo(SegmentCount.Piece piece) {
    if (since.isPresent()) {
      return piece.lastEnd() < since.getAsLong();
    }
    staying.merge(piece.firstEnd(), (long) piece.count(), Long::sum);
    total += piece.count();
    if (total >= keep) {
      settle();
    }
    return false;
  }

  private void settle() {
    long sum = 0;
    for (Map.Entry<Long, Long> each : staying.entrySet()) {
      sum += each.getValue();
      since = OptionalLong.of(each.getKey());
      if (sum >= keep) {
        break;
      }
    }
    staying.clear();
  }
}
