package io.belfry.server.access;

import io.belfry.store.Space;

/** The key spaces in the store of the system namespace. */
public final class Spaces {
  /** Namespaces by name, watched by every server. */
  public static final Space NAMESPACES = Space.plain("ns").inOrder().watchedTogether();
  /** Deleted incarnations of namespaces, and names whose store was used by one of them. */
  static final Space ENDED_NAMESPACES = Space.plain("nsend").inOrder();
  /** API addresses of nodes by incarnation, under leases, watched by every server. */
  public static final Space APIS = Space.plain("api").inOrder().watchedTogether();
  /** Tokens by their hash, watched by every server. */
  static final Space TOKENS = Space.plain("tok").inOrder().watchedTogether();
  /** Sessions and login links by token and hash. */
  static final Space SESSIONS = Space.plain("ses").inOrder();
  /** Secrets by namespace and name, encrypted. */
  static final Space SECRETS = Space.plain("sec").inOrder();
  /** Audit log by namespace, newest first. */
  static final Space AUDIT = Space.plain("aud").inOrder();
  /** Single records: which node created the first admin token, the key that signs cookies, the guard of the last admin, token counters. */
  static final Space BEGINNING = Space.plain("first");

  private Spaces() {}
}
