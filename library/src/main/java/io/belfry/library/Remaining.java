package io.belfry.library;

/**
 * What keeps a namespace from being terminated. In a terminated namespace, submissions, new jobs and retries are refused with {@link
 * io.belfry.core.submit.NamespaceEndedException}; the history can still be read, and no accepted work is lost. New work is also refused during
 * the check itself, for some milliseconds.
 */
public enum Remaining {
  /** Nothing: the namespace is terminated. */
  NOTHING,
  /** Jobs. */
  JOBS,
  /** Accepted retries and triggers for which the leader has not created tasks yet. */
  REQUESTS,
  /** Unfinished tasks. */
  TASKS
}
