package io.belfry.core.history;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counters of the leader's history housekeeping. Counted since the process started, over all its terms.
 *
 * <p>Threading: written by the leader's loop, read by any thread.
 */
public final class RetainCounts {
  final AtomicLong passedOver = new AtomicLong();
  final AtomicLong rollupsDropped = new AtomicLong();
  final AtomicLong unfolded = new AtomicLong();
  final AtomicLong unfoldedBytes = new AtomicLong();
  final AtomicLong historyBytes = new AtomicLong();
  final AtomicLong segmentsDroppedEarly = new AtomicLong();
  final AtomicLong dedupKeys = new AtomicLong();
  final AtomicLong rollups = new AtomicLong();
  final AtomicLong rollupBytes = new AtomicLong();
  final AtomicLong skipRecords = new AtomicLong();
  final AtomicLong lateReports = new AtomicLong();

  /** How often folding or trimming skipped a record that could not be decoded or processed. */
  public long recordsPassedOver() {
    return passedOver.get();
  }

  /** Hourly rollups of jobs that were dropped because too many finished tasks waited to be folded. */
  public long rollupsDropped() {
    return rollupsDropped.get();
  }

  /** Batches of finished tasks that wait to be folded, at this node's last measurement as leader; counting stops at its limit. */
  public long unfolded() {
    return unfolded.get();
  }

  /** The size of these batches. */
  public long unfoldedBytes() {
    return unfoldedBytes.get();
  }

  /** The size of all segments of finished tasks, at this node's last measurement as leader. */
  public long historyBytes() {
    return historyBytes.get();
  }

  /** Idempotency keys and records of triggers, at this node's last count as leader. */
  public long dedupKeys() {
    return dedupKeys.get();
  }

  /** Hourly and daily rollups of jobs, in this node's last round as leader. */
  public long rollups() {
    return rollups.get();
  }

  /** The size of these rollups. */
  public long rollupBytes() {
    return rollupBytes.get();
  }

  /** Records of skipped fires, in this node's last round as leader. */
  public long skipRecords() {
    return skipRecords.get();
  }

  /** Records of late reports, in this node's last round as leader. */
  public long lateReports() {
    return lateReports.get();
  }

  /** Segments that were deleted early, because history had become too large. */
  public long segmentsDroppedEarly() {
    return segmentsDroppedEarly.get();
  }
}
