package io.belfry.model.retry;

/** How an attempt went wrong, as far as trying again is concerned. */
public enum FailureKind {
  /** The code ran and said that it failed. */
  ERROR,
  /** It took longer than the timeout. */
  TIMEOUT,
  /** The worker went silent; nobody knows how far it came. */
  LOST,
  /** The executor refused, and would refuse again: no such handler, a forbidden address, a malformed payload. */
  REJECTED
}
