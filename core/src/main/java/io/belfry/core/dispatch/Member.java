package io.belfry.core.dispatch;

import io.belfry.core.record.WorkerRecord;

/** A worker of the crew, with what the leader has counted. */
final class Member implements Candidate {
  WorkerRecord record;
  private final int seat;
  int held;
  long lastTaken;

  Member(WorkerRecord record, int seat, int held) {
    this.record = record;
    this.seat = seat;
    this.held = held;
  }

  boolean hasCredit() {
    return record.accepting() && held < record.capacity();
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
