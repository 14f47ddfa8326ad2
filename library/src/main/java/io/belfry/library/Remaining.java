package io.belfry.library;

/**
 * What keeps a namespace from being ended. Once one has ended, whatever is submitted, saved as a new job or retried is refused with {@link
 * io.belfry.core.submit.NamespaceEndedException}, and nothing that was accepted is lost. While it is found out whether anything remains, for some
 * milliseconds, new work is refused, too. What was kept of finished tasks can still be read.
 */
public enum Remaining {
  NOTHING,
  JOBS,
  /** Retries and triggers that were accepted, and that the leader has not made tasks of yet. */
  REQUESTS,
  /** Tasks that have not ended. */
  TASKS
}
