package io.belfry.server.access;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.belfry.model.Check;
import java.time.Instant;
import java.util.Optional;

/**
 * What is kept of a token: not the token itself, only its hash, which is the key of this record.
 *
 * @param id by which people speak of it
 * @param by who made it
 */
public record TokenRecord(
    String id,
    String name,
    Role role,
    Optional<String> namespace,
    Instant created,
    Optional<Instant> expires,
    String by) {
  private static final int NAME_CHARS_MAX = 100;

  public TokenRecord {
    Check.text("name", name, NAME_CHARS_MAX);
  }

  @JsonIgnore
  boolean isOver(Instant now) {
    return expires.isPresent() && !now.isBefore(expires.get());
  }

  Principal principal() {
    return new Principal(id, name, role, namespace);
  }
}
