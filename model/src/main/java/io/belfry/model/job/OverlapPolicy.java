package io.belfry.model.job;

/** What happens to a fire while the job's previous task has not finished. */
public enum OverlapPolicy {
  /** Both run. */
  ALLOW,
  /** The new one is recorded as skipped. */
  SKIP,
  /** The new one waits its turn; the row has an end, after which fires are skipped. */
  QUEUE,
  /** The old one is cancelled, and the new one starts once it has ended. */
  REPLACE
}
