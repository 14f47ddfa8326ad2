package io.belfry.server.access;

/** What a token may do in its namespaces; each includes those before it. */
public enum Role {
  /** Reads. */
  VIEWER,
  /** Also triggers, cancels, switches. */
  OPERATOR,
  /** Also defines, and says who may do what. */
  ADMIN;

  public boolean includes(Role needed) {
    return compareTo(needed) >= 0;
  }
}
