package io.belfry.server.rest;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Whether JSON is as a schema of the document says: the part of JSON Schema that the document uses. Stricter than that in one thing: a
 * field that nobody has described is a fault, unless the schema says that there may be others.
 *
 * <p>Threading: immutable.
 */
final class Schema {
  private static final String ADDITIONAL = "additionalProperties";

  private final JsonNode document;

  Schema(JsonNode document) {
    this.document = document;
  }

  /** What the pointer of a reference leads to. */
  JsonNode resolved(JsonNode schema) {
    JsonNode at = schema;
    while (at.has("$ref")) {
      at = document.at(at.get("$ref").asString().substring(1));
    }
    return at;
  }

  /** What is wrong with the value; nothing, if it fits. */
  List<String> faults(JsonNode schema, JsonNode value) {
    var faults = new ArrayList<String>();
    check("", schema, value, faults);
    return faults;
  }

  private void check(String path, JsonNode given, JsonNode value, List<String> faults) {
    JsonNode schema = resolved(given);
    if (schema.has("oneOf")) {
      oneOf(path, schema.get("oneOf"), value, faults);
      return;
    }
    String type = schema.path("type").asString("");
    if (!type.isEmpty() && !isOf(type, value)) {
      faults.add(path + " must be " + type + ", but is " + value);
      return;
    }
    if (schema.has("enum") && !schema.get("enum").valueStream().toList().contains(value)) {
      faults.add(path + " must be one of " + schema.get("enum") + ", but is " + value);
    }
    switch (type) {
      case "object" -> object(path, schema, value, faults);
      case "array" -> array(path, schema, value, faults);
      case "string" -> string(path, schema, value.asString(), faults);
      case "integer", "number" -> number(path, schema, value.asDouble(), faults);
      default -> {}
    }
  }

  private void oneOf(String path, JsonNode choices, JsonNode value, List<String> faults) {
    var fits = new ArrayList<JsonNode>();
    var why = new ArrayList<String>();
    for (JsonNode choice : choices.values()) {
      List<String> found = faults(choice, value);
      if (found.isEmpty()) {
        fits.add(choice);
      }
      why.addAll(found);
    }
    if (fits.size() != 1) {
      faults.add(path + " must fit exactly one of " + choices.size() + ", but fits " + fits.size()
          + ": " + why);
    }
  }

  private static boolean isOf(String type, JsonNode value) {
    return switch (type) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isString();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      default -> throw new AssertionError("the document has an unknown type: " + type);
    };
  }

  private void object(String path, JsonNode schema, JsonNode value, List<String> faults) {
    for (JsonNode name : schema.path("required").values()) {
      if (!value.has(name.asString())) {
        faults.add(path + " lacks " + name.asString());
      }
    }
    JsonNode more = schema.path(ADDITIONAL);
    boolean open = more.asBoolean(!schema.has("properties") && !more.isObject());
    for (Map.Entry<String, JsonNode> each : value.properties()) {
      String inner = path + "." + each.getKey();
      if (schema.path("properties").has(each.getKey())) {
        check(inner, schema.get("properties").get(each.getKey()), each.getValue(), faults);
      } else if (more.isObject()) {
        check(inner, more, each.getValue(), faults);
      } else if (!open) {
        faults.add(inner + " is not described");
      }
    }
  }

  private void array(String path, JsonNode schema, JsonNode value, List<String> faults) {
    if (schema.has("maxItems") && value.size() > schema.get("maxItems").asInt()) {
      faults.add(path + " has " + value.size() + " items");
    }
    for (int i = 0; i < value.size(); i++) {
      check(path + "[" + i + "]", schema.path("items"), value.get(i), faults);
    }
  }

  private static void string(String path, JsonNode schema, String text, List<String> faults) {
    if (text.length() > schema.path("maxLength").asInt(Integer.MAX_VALUE)
        || text.length() < schema.path("minLength").asInt(0)) {
      faults.add(path + " has " + text.length() + " characters");
    }
    if (schema.has("pattern") && !Pattern.matches(schema.get("pattern").asString(), text)) {
      faults.add(path + " must match " + schema.get("pattern") + ", but is " + text);
    }
    if (schema.path("format").asString("").equals("date-time")) {
      try {
        OffsetDateTime.parse(text);
      } catch (DateTimeException e) {
        faults.add(path + " must be an instant, but is " + text);
      }
    }
  }

  private static void number(String path, JsonNode schema, double value, List<String> faults) {
    if (value < schema.path("minimum").asDouble(Double.NEGATIVE_INFINITY)
        || value > schema.path("maximum").asDouble(Double.POSITIVE_INFINITY)) {
      faults.add(path + " lies outside of its bounds: " + value);
    }
  }
}
