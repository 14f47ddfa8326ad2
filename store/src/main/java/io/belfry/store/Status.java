package io.belfry.store;

import java.util.Optional;

/**
 * What an engine says of itself.
 *
 * @param engine for example {@code etcd}
 * @param version of the engine's server or library
 * @param durability in words: what an acknowledgement survives
 * @param fullness share of the engine's space that is used, 0 to 1; 0 where there is no limit
 * @param revision the latest that this client knows
 * @param warning what would stop the engine as it is set up now, for an operator to change; names no server
 */
public record Status(
    String engine,
    String version,
    String durability,
    double fullness,
    long revision,
    Optional<String> warning) {

  /** Of an engine that has nothing to warn of. */
  public Status(String engine, String version, String durability, double fullness, long revision) {
    this(engine, version, durability, fullness, revision, Optional.empty());
  }
}
