package io.belfry.cli.job;

import io.belfry.cli.verb.Times;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A field that differs between two versions of a job. Threading: immutable.
 *
 * @param before empty: the field is new
 * @param after empty: the field was removed
 */
record Difference(String field, Optional<String> before, Optional<String> after) {
  /** Fields that the server sets. */
  private static final Set<String> SERVER_FIELDS =
      Set.of("generation", "created", "updated", "next", "last");

  /** The differing fields in document order. */
  static List<Difference> between(JsonNode before, JsonNode after) {
    var found = new ArrayList<Difference>();
    compare("", before, after, found);
    return found;
  }

  private static void compare(
      String path, JsonNode before, JsonNode after, List<Difference> found) {
    if (before.isObject() && after.isObject()) {
      Set<String> names = new LinkedHashSet<>(before.propertyNames());
      names.addAll(after.propertyNames());
      names.stream()
          .filter(name -> !path.isEmpty() || !SERVER_FIELDS.contains(name))
          .forEach(name -> compare(
              path.isEmpty() ? name : path + "." + name,
              before.path(name),
              after.path(name),
              found));
    } else if (!same(before, after)) {
      found.add(new Difference(path, text(before), text(after)));
    }
  }

  /** Whether both mean the same, such as {@code 90s} and {@code 1m30s}, or 2 and 2.0. */
  private static boolean same(JsonNode before, JsonNode after) {
    if (before.equals(after) || (isNothing(before) && isNothing(after))) {
      return true;
    }
    if (before.isNumber() && after.isNumber()) {
      return before.decimalValue().compareTo(after.decimalValue()) == 0;
    }
    if (before.isArray() && after.isArray()) {
      return Set.copyOf(before.values()).equals(Set.copyOf(after.values()));
    }
    if (before.isString() && after.isString()) {
      var one = Times.duration(before.asString());
      return one.isPresent() && one.equals(Times.duration(after.asString()));
    }
    return false;
  }

  private static boolean isNothing(JsonNode node) {
    return node.isMissingNode()
        || node.isNull()
        || (node instanceof ObjectNode all && all.isEmpty());
  }

  private static Optional<String> text(JsonNode node) {
    if (isNothing(node)) {
      return Optional.empty();
    }
    return Optional.of(node.isString() ? node.asString() : node.toString());
  }

  String text(String arrow) {
    return field + ": " + before.orElse("(none)") + " " + arrow + " " + after.orElse("(none)");
  }
}
