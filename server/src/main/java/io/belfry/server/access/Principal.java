package io.belfry.server.access;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Optional;

/**
 * Who is asking.
 *
 * @param id of the token that it came with, or that its session began with
 * @param name of that token, for people
 * @param namespace the one that it may use; empty: all of them
 * @param incarnation of that namespace: it has no rights in a later one of its name
 */
public record Principal(
    String id, String name, Role role, Optional<String> namespace, Optional<String> incarnation) {

  /** Name and id, as the audit log and the tasks that it submits have it. */
  public String label() {
    return name + " (" + id + ")";
  }

  @JsonIgnore
  public boolean isGlobal() {
    return namespace.isEmpty();
  }

  /** The {@linkplain NamespaceRecord#scope scope} of the namespace that it may use; empty: all of them. */
  @JsonIgnore
  public Optional<String> scope() {
    return namespace.map(own -> NamespaceRecord.scope(own, incarnation));
  }

  /** Whether its rights are for namespaces of that name; {@link #maySee(NamespaceRecord)} says whether for this one. */
  public boolean maySee(String wanted) {
    return namespace.isEmpty() || namespace.get().equals(wanted);
  }

  public boolean maySee(NamespaceRecord wanted) {
    return scope().map(wanted.scope()::equals).orElse(true);
  }
}
