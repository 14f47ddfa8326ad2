package io.belfry.client;

import tools.jackson.databind.JsonNode;

/**
 * The task that a change was about, or that it made. Threading: immutable.
 *
 * @param repeated whether the same had been asked for before, so that nothing new was made
 * @param document as the server answered it
 */
public record TaskRef(String id, boolean repeated, JsonNode document) {
  static TaskRef of(Answer answer) {
    JsonNode document = answer.json();
    return new TaskRef(document.path("id").asString(""), answer.status() == 200, document);
  }
}
