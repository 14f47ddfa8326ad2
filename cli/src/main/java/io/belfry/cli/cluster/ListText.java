package io.belfry.cli.cluster;

import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Formats lists and labels on one line. Threading: stateless. */
final class ListText {
  private ListText() {}

  static String join(JsonNode array) {
    return array.values().stream().map(each -> each.asString("")).collect(Collectors.joining(", "));
  }

  static String labels(JsonNode labels) {
    return labels.properties().stream()
        .map(each -> each.getKey() + "=" + each.getValue().asString(""))
        .collect(Collectors.joining(", "));
  }
}
