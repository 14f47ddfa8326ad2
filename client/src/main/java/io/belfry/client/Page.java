package io.belfry.client;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A page of a list. Threading: immutable.
 *
 * @param document the response of the server
 */
public record Page(JsonNode document) {
  public List<JsonNode> items() {
    return List.copyOf(document.path("items").values());
  }

  /** The cursor of the next page; empty on the last page. */
  public Optional<String> next() {
    JsonNode next = document.path("next");
    return next.isString() ? Optional.of(next.asString()) : Optional.empty();
  }
}
