package io.belfry.cli.cluster;

import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Lists and labels on one line. Threading: stateless. */
final class Words {
  private Words() {}

  static String list(JsonNode array) {
    return array.values().stream().map(each -> each.asString("")).collect(Collectors.joining(", "));
  }

  static String labels(JsonNode labels) {
    return labels.properties().stream()
        .map(each -> each.getKey() + "=" + each.getValue().asString(""))
        .collect(Collectors.joining(", "));
  }
}
