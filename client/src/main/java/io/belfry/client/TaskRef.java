package io.belfry.client;

import tools.jackson.databind.JsonNode;

/**
 * The task that a call changed or created. Threading: immutable.
 *
 * @param repeated whether the task existed already, so that the call created nothing
 * @param document the response of the server
 */
public record TaskRef(String id, boolean repeated, JsonNode document) {
  static TaskRef of(Answer answer) {
    JsonNode document = answer.json();
    return new TaskRef(document.path("id").asString(""), answer.status() == 200, document);
  }
}
