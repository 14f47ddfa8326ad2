package io.belfry.model.job;

/** The overlap policy: what happens to a fire while the previous task of the job has not finished. */
public enum OverlapPolicy {
  /** Both run. */
  ALLOW,
  /** The new task is recorded as skipped. */
  SKIP,
  /** The new task waits for the previous one. The queue is bounded; when it is full, fires are skipped. */
  QUEUE,
  /** The previous task is cancelled, and the new one starts once it has ended. */
  REPLACE
}
