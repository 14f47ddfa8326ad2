package io.belfry.server.access;

import io.belfry.store.Space;

/** What lies where in the store of the system namespace. */
public final class Spaces {
  /** Namespaces by name, followed by every server. */
  public static final Space NAMESPACES = Space.plain("ns").inOrder().watchedTogether();
  /** Tokens by the hash of what their owner has, followed by every server. */
  static final Space TOKENS = Space.plain("tok").inOrder().watchedTogether();
  /** Sessions and login links by hash. */
  static final Space SESSIONS = Space.plain("ses").inOrder();
  /** Secrets by namespace and name, encrypted. */
  static final Space SECRETS = Space.plain("sec").inOrder();
  /** What was changed by whom, by namespace, newest first. */
  static final Space AUDIT = Space.plain("aud").inOrder();
  /** That the first admin token was made, and by which node. */
  static final Space BEGINNING = Space.plain("first");

  private Spaces() {}
}
