package io.belfry.server.access;

/** The roles of tokens (RBAC); each role includes those before it. */
public enum Role {
  /** Reads. */
  VIEWER,
  /** Also operates defined work: triggers, submits by job, cancels, retries, enables and disables. */
  OPERATOR,
  /** Also defines work: saves and deletes jobs and calendars, submits tasks with inline executors. */
  DEVELOPER,
  /** Also manages tokens, secrets, and the settings of the namespace. */
  ADMIN;

  public boolean includes(Role needed) {
    return compareTo(needed) >= 0;
  }
}
