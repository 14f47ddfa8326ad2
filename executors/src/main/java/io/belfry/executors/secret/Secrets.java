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

  Optional<String> find(String name);
}
