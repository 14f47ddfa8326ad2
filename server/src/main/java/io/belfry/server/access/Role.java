package io.belfry.server.access;

/** What a token may do in its namespaces; each includes those before it. */
public enum Role {
  /** Reads. */
  VIEWER,
  /** Also carries out what has been defined: triggers, submits by job, cancels, retries, enables and disables. */
  OPERATOR,
  /** Also defines work: saves and deletes jobs and calendars, submits tasks with executors of their own. */
  DEVELOPER,
  /** Also manages tokens, secrets, and the settings of the namespace. */
  ADMIN;

  public boolean includes(Role needed) {
    return compareTo(needed) >= 0;
  }
}
