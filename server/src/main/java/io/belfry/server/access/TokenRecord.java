package io.belfry.server.access;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.belfry.model.Check;
import java.time.Instant;
import java.util.Optional;

/**
 * The stored record of a token. The token itself is not stored, only its hash, which is the key of this record.
 *
 * @param id public id
 * @param by name of its creator
 * @param incarnation incarnation of its namespace, with which it ends; empty if the namespace was created by a version without incarnations
 */
public record TokenRecord(
    String id,
    String name,
    Role role,
    Optional<String> namespace,
    Instant created,
    Optional<Instant> expires,
    String by,
    Optional<String> incarnation) {
  private static final int NAME_CHARS_MAX = 100;

  public TokenRecord {
    Check.text("name", name, NAME_CHARS_MAX);
  }

  @JsonIgnore
  boolean isOver(Instant now) {
    return expires.isPresent() && !now.isBefore(expires.get());
  }

  /** Whether it is a global admin token that does not expire. */
  @JsonIgnore
  boolean isKeyHolder() {
    return role == Role.ADMIN && namespace.isEmpty() && expires.isEmpty();
  }

  /** The {@linkplain NamespaceRecord#scope scope} of its namespace; empty: all namespaces. */
  @JsonIgnore
  public Optional<String> scope() {
    return namespace.map(name -> NamespaceRecord.scope(name, incarnation));
  }

  TokenRecord in(Optional<String> own) {
    return new TokenRecord(id, name, role, namespace, created, expires, by, own);
  }

  Principal principal() {
    return new Principal(id, name, role, namespace, incarnation);
  }
}
