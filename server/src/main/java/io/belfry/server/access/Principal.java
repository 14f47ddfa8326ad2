package io.belfry.server.access;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Optional;

/**
 * The authenticated caller.
 *
 * @param id id of its token, or of the token that started its session
 * @param name display name of the token
 * @param namespace namespace that it may access; empty: all namespaces
 * @param incarnation incarnation of that namespace; it has no rights in a later one with the same name
 */
public record Principal(
    String id, String name, Role role, Optional<String> namespace, Optional<String> incarnation) {

  /** Name and id, as shown in the audit log and as the submitter of tasks. */
  public String label() {
    return name + " (" + id + ")";
  }

  @JsonIgnore
  public boolean isGlobal() {
    return namespace.isEmpty();
  }

  /** The {@linkplain NamespaceRecord#scope scope} of the namespace that it may access; empty: all namespaces. */
  @JsonIgnore
  public Optional<String> scope() {
    return namespace.map(own -> NamespaceRecord.scope(own, incarnation));
  }

  /** Whether it may access namespaces with this name; {@link #maySee(NamespaceRecord)} also checks the incarnation. */
  public boolean maySee(String wanted) {
    return namespace.isEmpty() || namespace.get().equals(wanted);
  }

  public boolean maySee(NamespaceRecord wanted) {
    return scope().map(wanted.scope()::equals).orElse(true);
  }
}
