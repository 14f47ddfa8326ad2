package io.belfry.core.dispatch;

import io.belfry.core.record.WorkerRecord;

/** A worker that may be assigned the task and has a free slot. */
public interface Candidate {
  /** As of its last heartbeat. */
  WorkerRecord record();

  /** Attempts assigned to it or running on it, as the leader counts them: newer than the heartbeat. */
  int held();

  /** A small number, unique to this worker while it is registered, so that a strategy can keep its state in arrays. */
  int seat();

  /** Grows with each assigned task: the worker with the smallest value has waited longest; 0 if it had no task yet, or since the last reset. */
  long lastTaken();

  default String id() {
    return record().id();
  }

  /** Attempts assigned to it since its last heartbeat, which its reported load cannot include yet. */
  default int unreported() {
    return Math.max(0, held() - record().held().size());
  }

  /** Share of its capacity in use, from 0 to just below 1. */
  default double fullness() {
    return (double) held() / record().capacity();
  }
}
