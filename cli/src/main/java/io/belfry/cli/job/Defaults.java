package io.belfry.cli.job;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The server's defaults for fields that a document omits, so that a dry run can show them. Threading: stateless. */
final class Defaults {
  private static final String TEXT = """
      {"trigger": "none", "timeout": "5m",
       "retry": {"max": 3, "delay": "10s", "backoff": 2.0, "cap": "5m", "jitter": true, "on": ["timeout", "error", "lost"]},
       "missed": {"policy": "last", "maxAge": "1h", "maxCount": 100},
       "overlap": "skip", "priority": "normal", "queue": "default", "retain": {"for": "7d"}, "enabled": true}
      """;

  private Defaults() {}

  /** The document with defaults for the fields that it omits. */
  static JsonNode fill(JsonNode document) {
    ObjectNode whole = JsonNodeFactory.instance.objectNode();
    whole.set("id", document.path("id"));
    whole.set("name", document.path("id"));
    whole.setAll((ObjectNode) JsonMapper.shared().readTree(TEXT));
    merge(whole, document);
    if (whole.get("trigger") instanceof ObjectNode trigger) {
      whole.set("trigger", trigger(trigger));
    }
    return whole;
  }

  private static ObjectNode trigger(ObjectNode given) {
    ObjectNode whole = given.deepCopy();
    if (given.has("cron") && !given.has("zone")) {
      whole.put("zone", "UTC");
    }
    if (given.has("every") && !given.has("from")) {
      whole.put("from", "start");
    }
    if (given.has("after") && !given.has("on")) {
      whole.put("on", "succeeded");
    }
    if (given.path("dialect").asString("").equals("belfry")) {
      whole.remove("dialect");
    }
    return whole;
  }

  private static void merge(ObjectNode into, JsonNode from) {
    from.properties().forEach(each -> {
      boolean partial = each.getKey().equals("retry")
          || each.getKey().equals("missed")
          || each.getKey().equals("retain");
      if (partial
          && each.getValue().isObject()
          && into.get(each.getKey()) instanceof ObjectNode old) {
        merge(old, each.getValue());
      } else {
        into.set(each.getKey(), each.getValue());
      }
    });
  }
}
