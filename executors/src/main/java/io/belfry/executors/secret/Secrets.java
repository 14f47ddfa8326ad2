package io.belfry.executors.secret;

import java.util.Optional;

/**
 * The secrets of one namespace.
 *
 * <p>Threading: asked by many virtual threads at once.
 */
@FunctionalInterface
public interface Secrets {
  Secrets NONE = name -> Optional.empty();

  Optional<SecretValue> find(String name);

  /** Called when an attempt was rejected because the secret may not be sent there; for counting. */
  default void refused(String name, Destination to) {}
}
