package io.belfry.core.dispatch;

import io.belfry.core.record.WorkerRecord;

/** A registered worker, with what the leader has counted for it. */
final class PoolWorker implements Candidate {
  WorkerRecord record;
  private final int seat;
  int held;
  long lastTaken;

  /** Cached, because every row asks it of every worker. */
  private boolean credit;

  PoolWorker(WorkerRecord record, int seat, int held) {
    this.record = record;
    this.seat = seat;
    this.held = held;
    count(0);
  }

  boolean hasCredit() {
    return credit;
  }

  void update(WorkerRecord newRecord) {
    record = newRecord;
    count(0);
  }

  /** Adds to the number of held tasks; negative: subtracts. */
  void count(int more) {
    held = Math.max(0, held + more);
    credit = record.accepting() && held < record.capacity();
  }

  @Override
  public WorkerRecord record() {
    return record;
  }

  @Override
  public int held() {
    return held;
  }

  @Override
  public int seat() {
    return seat;
  }

  @Override
  public long lastTaken() {
    return lastTaken;
  }
}
