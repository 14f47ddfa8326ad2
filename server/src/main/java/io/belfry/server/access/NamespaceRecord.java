package io.belfry.server.access;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.belfry.model.Check;
import java.time.Instant;
import java.util.Optional;

/**
 * A namespace.
 *
 * @param incarnation distinguishes it from deleted namespaces with the same name; empty if it was created by a version without incarnations
 * @param store name of the store with its jobs, tasks and history; empty if it is the name of the namespace
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
   * Key prefix of all data that the server stores for this namespace: secrets, audit log. It is unique, even among incarnations of the same
   * name.
   */
  @JsonIgnore
  public String scope() {
    return scope(name, incarnation);
  }

  static String scope(String name, Optional<String> incarnation) {
    return incarnation.map(own -> name + "/" + own).orElse(name);
  }

  /** The name of its store. */
  @JsonIgnore
  public String storeName() {
    return store.orElse(name);
  }
}
