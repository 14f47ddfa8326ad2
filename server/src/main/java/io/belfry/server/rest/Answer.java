package io.belfry.server.rest;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What is answered. Threading: immutable.
 *
 * @param written the body, if it was written already
 */
record Answer(
    int status, Optional<JsonNode> body, Optional<Pieces> written, Map<String, String> headers) {

  Answer(int status, JsonNode body) {
    this(status, Optional.of(body), Optional.empty(), Map.of());
  }

  static Answer ok(JsonNode body) {
    return new Answer(200, body);
  }

  static Answer created(JsonNode body) {
    return new Answer(201, body);
  }

  static Answer accepted(JsonNode body) {
    return new Answer(202, body);
  }

  static Answer written(Pieces body) {
    return new Answer(200, Optional.empty(), Optional.of(body), Map.of());
  }

  static Answer nothing(int status) {
    return new Answer(status, Optional.empty(), Optional.empty(), Map.of());
  }

  /** It has been written by other means. */
  static Answer done() {
    return nothing(0);
  }

  Answer with(String header, String value) {
    var all = new HashMap<>(headers);
    all.put(header, value);
    return new Answer(status, body, written, Map.copyOf(all));
  }
}
