package io.belfry.executors.http;

import io.belfry.executors.json.Json;
import io.belfry.executors.secret.Redaction;
import io.belfry.executors.settings.Fields;
import io.belfry.model.Check;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * When a response is a success: its status, and optionally a value in its body.
 *
 * @param path of a value that must exist and be neither false nor null
 * @param equal the value that it must have instead
 */
record SuccessRule(StatusSet status, Optional<String> path, Optional<JsonNode> equal) {
  private static final Set<String> KEYS = Set.of("status", "path", "equals");
  private static final int SHOWN_CHARS = 200;

  static SuccessRule of(Fields settings) {
    Fields fields = settings.map("success", KEYS);
    StatusSet status =
        StatusSet.of(fields.at("status"), fields.list("status").orElse(List.of("2xx")));
    Optional<String> path =
        fields.text("path").map(text -> Check.text(fields.at("path"), text, 300));
    Check.that(
        path.isPresent() || !fields.has("equals"),
        fields.at("equals"),
        new Check.Plain("set alone"),
        "must be used with success.path, because it is compared with the value at that path",
        "Add success.path, or remove success.equals.");
    return new SuccessRule(status, path, fields.any("equals").map(Json::of));
  }

  /** Why a response with a success status is not a success; empty if it is. The check uses the original value, the message is redacted. */
  Optional<String> complaint(Answer answer, Redaction redaction) {
    return path.flatMap(wanted -> {
      Optional<JsonNode> body = answer.isCut() ? Optional.empty() : Json.parse(answer.body());
      if (body.isEmpty()) {
        return Optional.of("must have " + wanted + ", but its body is "
            + (answer.isCut() ? "too long" : "not JSON"));
      }
      return complaint(wanted, Json.at(body.get(), Json.path(wanted)), redaction);
    });
  }

  private Optional<String> complaint(String wanted, Optional<JsonNode> found, Redaction redaction) {
    if (found.isEmpty()) {
      return Optional.of("must have " + wanted + ", but does not");
    }
    JsonNode value = found.get();
    boolean good = equal.map(other -> Json.same(other, value)).orElse(!isNo(value));
    String rule = equal.map(other -> "must be " + other).orElse("must be neither false nor null");
    return good
        ? Optional.empty()
        : Optional.of("at " + wanted + " " + rule + ", but was "
            + redaction.clip(value.toString(), SHOWN_CHARS));
  }

  private static boolean isNo(JsonNode value) {
    return value.isNull() || (value.isBoolean() && !value.booleanValue());
  }
}
