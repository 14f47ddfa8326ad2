package io.belfry.executors.secret;

import java.util.Optional;

/**
 * The secrets of one namespace.
 *
 * <p>Threading: called by many virtual threads at once.
 */
@FunctionalInterface
public interface Secrets {
  Secrets NONE = name -> Optional.empty();

  Optional<SecretValue> find(String name);

  /** Called for metrics when an attempt was rejected because the secret must not be sent to its target. */
  default void refused(String name, Destination to) {}
}
