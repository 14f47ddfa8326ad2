package io.belfry.cli.job;

import tools.jackson.databind.JsonNode;

/** Formats parts of a job for people. Threading: stateless. */
final class JobText {
  private JobText() {}

  static String trigger(JsonNode job) {
    JsonNode trigger = job.path("trigger");
    if (trigger.has("cron")) {
      String zone = trigger.path("zone").asString("UTC");
      return trigger.path("cron").asString("") + (zone.equals("UTC") ? "" : " " + zone);
    }
    if (trigger.has("every")) {
      return "every " + trigger.path("every").asString("");
    }
    if (trigger.has("at")) {
      return "at " + trigger.path("at").asString("");
    }
    if (trigger.has("after")) {
      return "after " + trigger.path("after").asString("");
    }
    return "manual";
  }

  /** The executor and its target: {@code http POST https://…}, {@code local send-invoice}. */
  static String executor(JsonNode executor) {
    String type = executor.path("type").asString("");
    String more = switch (type) {
      case "http" ->
        executor.path("method").asString("") + " " + executor.path("url").asString("");
      case "local" -> executor.path("handler").asString("");
      case "script" -> executor.path("interpreter").asString("");
      default -> executor.path("target").asString("");
    };
    return (type + " " + more.strip()).strip();
  }

  static String labels(JsonNode labels) {
    return labels.properties().stream()
        .map(each -> each.getKey() + "=" + each.getValue().asString(""))
        .reduce((a, b) -> a + ", " + b)
        .orElse("");
  }

  static String state(JsonNode job) {
    return job.path("enabled").asBoolean(true) ? "enabled" : "disabled";
  }
}
