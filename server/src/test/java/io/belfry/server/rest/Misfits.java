package io.belfry.server.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Documents after a schema that are right but for one value: an object or a list stands in its place. Every field has its turn, also inside of
 * others. Threading: immutable.
 */
final class Misfits {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int DEPTH_MAX = 6;
  private static final Map<String, String> WORDS = Map.of(
      "id", "misfit",
      "type", "local",
      "token", "bft_nobody",
      "name", "misfit");

  private final Schema schema;

  Misfits(Schema schema) {
    this.schema = schema;
  }

  /** All of them, for a schema of the document. */
  List<JsonNode> of(JsonNode wanted) {
    return of(wanted, 0);
  }

  private List<JsonNode> of(JsonNode given, int depth) {
    JsonNode wanted = schema.resolved(given);
    var found = new ArrayList<>(containers());
    if (depth == DEPTH_MAX) {
      return found;
    }
    wanted.path("oneOf").values().forEach(choice -> found.addAll(of(choice, depth + 1)));
    if (wanted.has("items")) {
      of(wanted.get("items"), depth + 1)
          .forEach(each -> found.add(JSON.arrayNode().add(each)));
    }
    for (Map.Entry<String, JsonNode> each : wanted.path("properties").properties()) {
      for (JsonNode misfit : of(each.getValue(), depth + 1)) {
        found.add(((ObjectNode) right(wanted)).set(each.getKey(), misfit));
      }
    }
    if (wanted.path("additionalProperties").isObject()) {
      of(wanted.get("additionalProperties"), depth + 1)
          .forEach(each -> found.add(JSON.objectNode().set("key", each)));
    }
    return found;
  }

  private static List<JsonNode> containers() {
    return List.of(
        JSON.objectNode(),
        JSON.arrayNode(),
        JSON.arrayNode().add(JSON.objectNode()),
        JSON.objectNode().set("a", JSON.arrayNode().add(1)));
  }

  /** What is required, and an id where there may be one. */
  private JsonNode right(JsonNode given) {
    return right(given, "");
  }

  private JsonNode right(JsonNode given, String name) {
    JsonNode wanted = schema.resolved(given);
    if (wanted.has("oneOf")) {
      return right(wanted.get("oneOf").get(0), name);
    }
    if (wanted.has("enum")) {
      return wanted.get("enum").get(0);
    }
    return switch (wanted.path("type").asString("")) {
      case "object" -> object(wanted);
      case "array" -> JSON.arrayNode();
      case "integer", "number" -> JSON.numberNode(wanted.path("minimum").asInt(1));
      case "boolean" -> JSON.booleanNode(false);
      default -> JSON.stringNode(WORDS.getOrDefault(name, "x"));
    };
  }

  private ObjectNode object(JsonNode wanted) {
    ObjectNode node = JSON.objectNode();
    for (Map.Entry<String, JsonNode> each : wanted.path("properties").properties()) {
      boolean required = wanted
          .path("required")
          .valueStream()
          .anyMatch(field -> field.asString().equals(each.getKey()));
      if (required || each.getKey().equals("id")) {
        node.set(each.getKey(), right(each.getValue(), each.getKey()));
      }
    }
    return node;
  }
}
