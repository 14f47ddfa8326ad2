package io.belfry.core.submit;

import io.belfry.model.job.Payload;
import java.util.List;
import java.util.Optional;

/**
 * Finds a value in a payload, for keys of limits. Whoever assembles a node brings one that reads JSON, because the core carries payloads
 * without looking into them. Safe for many threads.
 */
@FunctionalInterface
public interface PayloadPath {
  /** Of a node that reads no payloads: every value is missing. */
  PayloadPath NONE = (payload, path) -> Optional.empty();

  /** A text, number or truth value as text; empty if it is missing, null, an object or a list, or the payload is not JSON. */
  Optional<String> find(Payload payload, List<String> path);
}
