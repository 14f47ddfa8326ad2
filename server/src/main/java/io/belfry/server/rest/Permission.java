package io.belfry.server.rest;

import io.belfry.server.access.Role;
import java.util.Optional;

/** What a caller must be. Every route declares one, or the server does not start. */
enum Permission {
  /** Anybody at all. */
  ANONYMOUS,
  /** Whoever has a good token or session. */
  ANY,
  VIEWER,
  OPERATOR,
  DEVELOPER,
  ADMIN,
  /** An admin of all namespaces. */
  GLOBAL_ADMIN;

  /** The role that is needed in the namespace of the address, if any. */
  Optional<Role> role() {
    return switch (this) {
      case ANONYMOUS, ANY -> Optional.empty();
      case VIEWER -> Optional.of(Role.VIEWER);
      case OPERATOR -> Optional.of(Role.OPERATOR);
      case DEVELOPER -> Optional.of(Role.DEVELOPER);
      case ADMIN, GLOBAL_ADMIN -> Optional.of(Role.ADMIN);
    };
  }
}
