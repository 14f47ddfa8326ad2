package io.belfry.core.retain;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What the leader's housekeeping of history has met and dropped. Counted since the process began, also over several terms.
 *
 * <p>Threading: written by the leader's loop, read by anybody.
 */
public final class RetainCounts {
  final AtomicLong passedOver = new AtomicLong();
  final AtomicLong rollupsDropped = new AtomicLong();
  final AtomicLong unfolded = new AtomicLong();
  final AtomicLong unfoldedBytes = new AtomicLong();
  final AtomicLong historyBytes = new AtomicLong();
  final AtomicLong packsDroppedEarly = new AtomicLong();
  final AtomicLong dedupKeys = new AtomicLong();
  final AtomicLong rollups = new AtomicLong();
  final AtomicLong rollupBytes = new AtomicLong();
  final AtomicLong skipRecords = new AtomicLong();
  final AtomicLong lateReports = new AtomicLong();

  /** How often a record was passed over by folding or trimming because it could not be read or processed. */
  public long recordsPassedOver() {
    return passedOver.get();
  }

  /** Rollups of a job and an hour that were not kept, because too many finished tasks waited to be folded. */
  public long rollupsDropped() {
    return rollupsDropped.get();
  }

  /** Lots of finished tasks that wait to be folded, by the last measurement of this node as leader; counting ends at its bound. */
  public long unfolded() {
    return unfolded.get();
  }

  /** What they weigh. */
  public long unfoldedBytes() {
    return unfoldedBytes.get();
  }

  /** What all packs of finished tasks weigh, by the last measurement of this node as leader. */
  public long historyBytes() {
    return historyBytes.get();
  }

  /** Idempotency keys and records of triggers, by the last count of this node as leader. */
  public long dedupKeys() {
    return dedupKeys.get();
  }

  /** Rollups of a job and an hour or day, by the last round of this node as leader. */
  public long rollups() {
    return rollups.get();
  }

  /** What these weigh. */
  public long rollupBytes() {
    return rollupBytes.get();
  }

  /** Records of skipped fires, by the last round of this node as leader. */
  public long skipRecords() {
    return skipRecords.get();
  }

  /** Records of reports that came too late, by the last round of this node as leader. */
  public long lateReports() {
    return lateReports.get();
  }

  /** Packs that were dropped before their time, because history weighed too much. */
  public long packsDroppedEarly() {
    return packsDroppedEarly.get();
  }
}
