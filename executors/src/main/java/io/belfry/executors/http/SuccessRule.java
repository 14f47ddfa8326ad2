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
 * What the job calls a success: a status, and perhaps a value in the answer.
 *
 * @param path of the value that must be there, and neither false nor null
 * @param equal what it must be instead
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
        "alone",
        "must stand beside success.path, because it says what the value there must be",
        "Add success.path, or remove it.");
    return new SuccessRule(status, path, fields.any("equals").map(Json::of));
  }

  /** What is wrong with an answer of a right status, if anything is, without secrets. It is judged with them: they may be what is asked for. */
  Optional<String> complaint(Answer answer, Redaction redaction) {
    return path.flatMap(wanted -> {
      Optional<JsonNode> body = answer.isCut() ? Optional.empty() : Json.parse(answer.body());
      if (body.isEmpty()) {
        return Optional.of("must have " + wanted + ", but its body is "
            + (answer.isCut() ? "too long to be read" : "not JSON"));
      }
      return complaint(wanted, Json.at(body.get(), Json.path(wanted)), redaction);
    });
  }

  private Optional<String> complaint(String wanted, Optional<JsonNode> found, Redaction redaction) {
    if (found.isEmpty()) {
      return Optional.of("must have " + wanted + ", but has no such value");
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
