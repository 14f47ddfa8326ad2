package io.belfry.client;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A page of a listing. Threading: immutable.
 *
 * @param document as the server answered it
 */
public record Page(JsonNode document) {
  public List<JsonNode> items() {
    return List.copyOf(document.path("items").values());
  }

  /** The cursor of the following page, if there is one. */
  public Optional<String> next() {
    JsonNode next = document.path("next");
    return next.isString() ? Optional.of(next.asString()) : Optional.empty();
  }
}
