package io.belfry.model.retry;

/** How an attempt failed, as far as retrying is concerned. */
public enum FailureKind {
  /** The code ran and reported a failure. */
  ERROR,
  /** The attempt took longer than its timeout. */
  TIMEOUT,
  /** The worker was lost, for example because its lease expired; how far the attempt got is unknown. */
  LOST,
  /** The executor rejected the task and would reject it again: unknown handler, forbidden address, malformed payload. */
  REJECTED
}
