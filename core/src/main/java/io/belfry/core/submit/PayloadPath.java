package io.belfry.core.submit;

import io.belfry.model.job.Payload;
import java.util.List;
import java.util.Optional;

/**
 * Finds a value in a payload, for keys of limits. The host of a node supplies one that reads JSON, because the core treats payloads as
 * opaque. Safe for many threads.
 */
@FunctionalInterface
public interface PayloadPath {
  /** Reads no payloads: every value is missing. */
  PayloadPath NONE = (payload, path) -> Optional.empty();

  /** A string, number or boolean as text; empty if it is missing, null, an object or a list, or the payload is not JSON. */
  Optional<String> find(Payload payload, List<String> path);
}
