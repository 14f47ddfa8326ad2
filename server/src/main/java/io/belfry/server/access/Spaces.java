package io.belfry.server.access;

import io.belfry.store.Space;

/** What lies where in the store of the system namespace. */
public final class Spaces {
  /** Namespaces by name, followed by every server. */
  public static final Space NAMESPACES = Space.plain("ns").inOrder().watchedTogether();
  /** Incarnations of namespaces that were deleted, and names whose own store was used by one of them. */
  static final Space ENDED_NAMESPACES = Space.plain("nsend").inOrder();
  /** Where the APIs of nodes listen, by incarnation, under leases; followed by every server. */
  public static final Space APIS = Space.plain("api").inOrder().watchedTogether();
  /** Tokens by the hash of what their owner has, followed by every server. */
  static final Space TOKENS = Space.plain("tok").inOrder().watchedTogether();
  /** Sessions and login links by token and hash. */
  static final Space SESSIONS = Space.plain("ses").inOrder();
  /** Secrets by namespace and name, encrypted. */
  static final Space SECRETS = Space.plain("sec").inOrder();
  /** What was changed by whom, by namespace, newest first. */
  static final Space AUDIT = Space.plain("aud").inOrder();
  /** That the first admin token was made, and by which node; the key that signs cookies; the guard of the last admin; how many tokens there are. */
  static final Space BEGINNING = Space.plain("first");

  private Spaces() {}
}
