package io.belfry.server.access;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.belfry.model.Check;
import java.time.Instant;
import java.util.Optional;

/**
 * A namespace.
 *
 * @param incarnation tells it from namespaces of the same name that were deleted before; empty: it was created by a version that had none
 * @param store name under which its jobs, tasks and history are kept; empty: its own name
 */
public record NamespaceRecord(
    String name,
    String description,
    Instant created,
    Optional<String> incarnation,
    Optional<String> store) {
  private static final int DESCRIPTION_CHARS_MAX = 1000;

  public NamespaceRecord {
    Check.atMost("description", description, DESCRIPTION_CHARS_MAX);
  }

  /**
   * With what the keys of all that the server keeps for this namespace begin: secrets, audit log. No other namespace has it, not even a
   * later one of the same name.
   */
  @JsonIgnore
  public String scope() {
    return scope(name, incarnation);
  }

  static String scope(String name, Optional<String> incarnation) {
    return incarnation.map(own -> name + "/" + own).orElse(name);
  }

  /** The name of its store on the engine. */
  @JsonIgnore
  public String storeName() {
    return store.orElse(name);
  }
}
