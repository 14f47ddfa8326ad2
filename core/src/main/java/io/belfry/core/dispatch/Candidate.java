package io.belfry.core.dispatch;

import io.belfry.core.record.WorkerRecord;

/** A worker that may be given the task and has room for it. */
public interface Candidate {
  /** As of its last heartbeat. */
  WorkerRecord record();

  /** Attempts assigned to it or running there, as the leader counts them: newer than the heartbeat. */
  int held();

  /** A small number that is this worker's alone while it is there, so that a strategy can keep what it knows in arrays. */
  int seat();

  /** Grows with each task given to anybody: whoever has the smallest has gone without the longest; 0 if it had none yet, or since the last reset. */
  long lastTaken();

  default String id() {
    return record().id();
  }

  /** Attempts given to it since its last heartbeat, which its reported load cannot show yet. */
  default int unreported() {
    return Math.max(0, held() - record().held().size());
  }

  /** Share of its capacity in use, from 0 to just below 1. */
  default double fullness() {
    return (double) held() / record().capacity();
  }
}
