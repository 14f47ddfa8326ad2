package io.belfry.server.rest;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** What is answered. Threading: immutable. */
record Answer(int status, Optional<JsonNode> body, Map<String, String> headers) {

  static Answer ok(JsonNode body) {
    return new Answer(200, Optional.of(body), Map.of());
  }

  static Answer created(JsonNode body) {
    return new Answer(201, Optional.of(body), Map.of());
  }

  static Answer accepted(JsonNode body) {
    return new Answer(202, Optional.of(body), Map.of());
  }

  static Answer nothing(int status) {
    return new Answer(status, Optional.empty(), Map.of());
  }

  /** It has been written by other means. */
  static Answer done() {
    return nothing(0);
  }

  Answer with(String header, String value) {
    var all = new HashMap<>(headers);
    all.put(header, value);
    return new Answer(status, body, Map.copyOf(all));
  }
}
