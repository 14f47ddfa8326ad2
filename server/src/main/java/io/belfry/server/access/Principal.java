package io.belfry.server.access;

import java.util.Optional;

/**
 * Who is asking.
 *
 * @param id of the token that it came with, or that its session began with
 * @param name of that token, for people
 * @param namespace the one that it may use; empty: all of them
 */
public record Principal(String id, String name, Role role, Optional<String> namespace) {

  public boolean isGlobal() {
    return namespace.isEmpty();
  }

  public boolean maySee(String wanted) {
    return namespace.isEmpty() || namespace.get().equals(wanted);
  }
}
