package io.belfry.server.rest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** The OpenAPI document as the server serves it, in a form that tests can ask. Threading: immutable. */
final class Document {
  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");
  private static final String JSON = "application/json";

  /**
   * One operation.
   *
   * @param method in capitals
   * @param parameters those of the path too, with references resolved
   * @param body schema of what is sent, if anything is
   * @param responses by status, with references resolved
   */
  record Operation(
      String id,
      String method,
      String path,
      String role,
      List<JsonNode> parameters,
      Optional<JsonNode> body,
      Map<String, JsonNode> responses) {

    /** The schema of the answer with that status; empty: no JSON is answered. */
    Optional<JsonNode> answer(int status) {
      return Optional.ofNullable(responses.get(String.valueOf(status)))
          .map(found -> found.path("content").path(JSON).path("schema"))
          .filter(schema -> !schema.isMissingNode());
    }

    List<String> names(String in) {
      return parameters.stream()
          .filter(each -> each.path("in").asString("").equals(in))
          .map(each -> each.path("name").asString())
          .toList();
    }

    @Override
    public String toString() {
      return id;
    }
  }

  private final JsonNode root;
  private final Schema schema;
  private final List<Operation> operations = new ArrayList<>();

  Document(JsonNode root) {
    this.root = root;
    this.schema = new Schema(root);
    for (Map.Entry<String, JsonNode> path : root.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        if (METHODS.contains(method.getKey())) {
          operations.add(
              operation(path.getKey(), method.getKey(), path.getValue(), method.getValue()));
        }
      }
    }
  }

  private Operation operation(String path, String method, JsonNode shared, JsonNode own) {
    var parameters = new ArrayList<JsonNode>();
    shared.path("parameters").values().forEach(each -> parameters.add(schema.resolved(each)));
    own.path("parameters").values().forEach(each -> parameters.add(schema.resolved(each)));
    JsonNode body = own.path("requestBody").path("content").path(JSON).path("schema");
    var responses = new LinkedHashMap<String, JsonNode>();
    own.path("responses")
        .properties()
        .forEach(each -> responses.put(each.getKey(), schema.resolved(each.getValue())));
    return new Operation(
        own.path("operationId").asString(""),
        method.toUpperCase(Locale.ROOT),
        path,
        own.path("x-role").asString(""),
        List.copyOf(parameters),
        body.isMissingNode() ? Optional.empty() : Optional.of(body),
        responses);
  }

  JsonNode root() {
    return root;
  }

  Schema schema() {
    return schema;
  }

  List<Operation> operations() {
    return operations;
  }

  Operation operation(String id) {
    return operations.stream()
        .filter(each -> each.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new AssertionError("the document has no operation " + id));
  }

  /** The schemas of the events that a stream sends, by their types. */
  Map<String, JsonNode> events(String operation) {
    var found = new TreeMap<String, JsonNode>();
    Optional.ofNullable(operation(operation).responses().get("200"))
        .map(answer -> answer.path("content").path("text/event-stream").path("x-events"))
        .ifPresent(events ->
            events.properties().forEach(each -> found.put(each.getKey(), each.getValue())));
    return found;
  }

  /** References that lead nowhere. */
  Set<String> dangling() {
    var found = new TreeSet<String>();
    dangling(root, found);
    return found;
  }

  private void dangling(JsonNode node, Set<String> found) {
    if (node.isObject() && node.path("$ref").isString()) {
      String ref = node.get("$ref").asString();
      if (!ref.startsWith("#/") || root.at(ref.substring(1)).isMissingNode()) {
        found.add(ref);
      }
    }
    node.values().forEach(each -> dangling(each, found));
  }
}
