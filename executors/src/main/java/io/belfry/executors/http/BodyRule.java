package io.belfry.executors.http;

import io.belfry.executors.json.Json;
import io.belfry.executors.settings.Fields;
import io.belfry.executors.template.BodyTemplate;
import io.belfry.model.Check;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The request body of the settings. A text with a JSON or form content type is filled accordingly, so that a value cannot break out of its
 * string or its parameter. Threading: immutable.
 */
record BodyRule(String contentType, BodyTemplate template) {
  private static final Pattern TYPE =
      Pattern.compile("[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+(\\s*;[ -~]*)?");
  private static final String JSON = "application/json";

  static Optional<BodyRule> of(Fields fields, Optional<String> headerType) {
    Optional<String> given = fields.text("contentType").or(() -> headerType);
    given.ifPresent(type -> Check.that(
        TYPE.matcher(type).matches() && type.length() <= 200,
        fields.at("contentType"),
        type,
        "must be a content type, because the target parses the body by it",
        "Write it like application/json."));
    Check.that(
        !fields.has("contentType") || headerType.isEmpty(),
        fields.at("contentType"),
        new Check.Plain("set as contentType and as a header"),
        "must be set only once, because one of the two would be ignored",
        "Remove one of them.");
    return fields.any("body").map(body -> of(fields.at("body"), body, given));
  }

  private static BodyRule of(String field, Object body, Optional<String> given) {
    if (!(body instanceof String text)) {
      return new BodyRule(given.orElse(JSON), BodyTemplate.json(field, body));
    }
    String type = given.orElse(text.equals("${payload}") ? JSON : "text/plain;charset=utf-8");
    if (isJson(type)) {
      return new BodyRule(type, BodyTemplate.json(field, tree(field, text)));
    }
    return new BodyRule(
        type,
        type.toLowerCase(Locale.ROOT).startsWith("application/x-www-form-urlencoded")
            ? BodyTemplate.form(field, text)
            : BodyTemplate.text(field, text));
  }

  static boolean isJson(String type) {
    String plain = type.toLowerCase(Locale.ROOT);
    int end = plain.indexOf(';');
    String essence = (end < 0 ? plain : plain.substring(0, end)).strip();
    return essence.equals(JSON) || essence.equals("text/json") || essence.endsWith("+json");
  }

  private static JsonNode tree(String field, String text) {
    if (text.startsWith("${") && text.indexOf('}') == text.length() - 1) {
      return Json.of(text); // one placeholder, which is filled with a value of any type
    }
    return Json.parse(text)
        .orElseThrow(
            () -> Check.refusal(
                field,
                text,
                "must be valid JSON with placeholders only inside its strings, because its content type is JSON"
                    + " and a value must not change the structure",
                "Write the body as a map, or quote the placeholders: \"${payload.count}\" stays a number."));
  }
}
