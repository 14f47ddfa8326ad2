package io.belfry.executors.template;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.execute.AttemptException;
import io.belfry.executors.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request body with placeholders, in the strings of its JSON or in its text. A JSON string that is exactly one placeholder becomes
 * the value itself: a number stays a number. Threading: immutable.
 */
public final class BodyTemplate {
  private sealed interface Node {
    record Whole(JsonNode value) implements Node {}

    record Text(Template template) implements Node {}

    record Fields(Map<String, Node> of) implements Node {}

    record Elements(List<Node> of) implements Node {}
  }

  private interface Form {
    byte[] fill(Values values) throws AttemptException;
  }

  private final Form form;
  private final Predicate<Predicate<Template>> holds;

  private BodyTemplate(Form form, Predicate<Predicate<Template>> holds) {
    this.form = form;
    this.holds = holds;
  }

  /** JSON of maps, lists and plain values. */
  public static BodyTemplate json(String field, Object plain) {
    return json(field, Json.of(plain));
  }

  /** JSON that is written as a string. */
  public static BodyTemplate json(String field, JsonNode tree) {
    Node root = read(field, tree);
    if (root instanceof Node.Whole(JsonNode value)) {
      byte[] always = Json.bytes(value);
      return new BodyTemplate(values -> always, what -> false);
    }
    return new BodyTemplate(values -> Json.bytes(fill(root, values)), what -> holds(root, what));
  }

  /** A text in which values are inserted unchanged. */
  public static BodyTemplate text(String field, String text) {
    return text(field, text, value -> value);
  }

  /** A form (x-www-form-urlencoded) in which values are percent-encoded. */
  public static BodyTemplate form(String field, String text) {
    return text(field, text, Percent::encode);
  }

  private static BodyTemplate text(String field, String text, UnaryOperator<String> escaped) {
    Template template = Template.parse(field, text);
    return new BodyTemplate(
        values -> template.fill(values, escaped).getBytes(UTF_8), what -> what.test(template));
  }

  public byte[] fill(Values values) throws AttemptException {
    return form.fill(values);
  }

  public boolean hasCredential() {
    return holds.test(Template::hasCredential);
  }

  public boolean usesCallback() {
    return holds.test(Template::usesCallback);
  }

  private static Node read(String field, JsonNode tree) {
    if (tree.isString()) {
      Template template = Template.parse(field, tree.stringValue());
      return template.isLiteral() && !tree.stringValue().contains("$${")
          ? new Node.Whole(tree)
          : new Node.Text(template);
    }
    if (tree.isObject()) {
      var fields = new LinkedHashMap<String, Node>();
      tree.properties()
          .forEach(entry ->
              fields.put(entry.getKey(), read(field + "." + entry.getKey(), entry.getValue())));
      return isWhole(fields.values()) ? new Node.Whole(tree) : new Node.Fields(fields);
    }
    if (tree.isArray()) {
      var elements = new ArrayList<Node>();
      for (int i = 0; i < tree.size(); i++) {
        elements.add(read(field + "[" + i + "]", tree.get(i)));
      }
      return isWhole(elements) ? new Node.Whole(tree) : new Node.Elements(elements);
    }
    return new Node.Whole(tree);
  }

  private static boolean isWhole(Iterable<Node> nodes) {
    for (Node node : nodes) {
      if (!(node instanceof Node.Whole)) {
        return false;
      }
    }
    return true;
  }

  private static JsonNode fill(Node node, Values values) throws AttemptException {
    return switch (node) {
      case Node.Whole(JsonNode value) -> value;
      case Node.Text(Template template) -> template.fillJson(values);
      case Node.Fields(Map<String, Node> fields) -> {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (var field : fields.entrySet()) {
          object.set(field.getKey(), fill(field.getValue(), values));
        }
        yield object;
      }
      case Node.Elements(List<Node> elements) -> {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (Node element : elements) {
          array.add(fill(element, values));
        }
        yield array;
      }
    };
  }

  private static boolean holds(Node node, Predicate<Template> what) {
    return switch (node) {
      case Node.Whole unused -> false;
      case Node.Text(Template template) -> what.test(template);
      case Node.Fields(Map<String, Node> fields) ->
        fields.values().stream().anyMatch(field -> holds(field, what));
      case Node.Elements(List<Node> elements) ->
        elements.stream().anyMatch(element -> holds(element, what));
    };
  }
}
