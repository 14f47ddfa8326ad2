package io.belfry.cli.verb;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** What users wrote, with every digit of it, or why it cannot be read. Threading: stateless. */
final class ExactJson {
  private static final JsonMapper JSON = JsonMapper.builder()
      .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
      .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
      .build();

  /** It is not JSON. The message goes on after "but". */
  static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1;

    Unreadable(String message) {
      super(message);
    }
  }

  private ExactJson() {}

  static JsonNode read(String text) throws Unreadable {
    try {
      return JSON.readTree(text);
    } catch (JacksonException e) {
      throw new Unreadable(plain(e.getOriginalMessage()) + place(e));
    } catch (NumberFormatException e) { // by an exponent that no number can have
      throw new Unreadable("has a number that is too large");
    }
  }

  /** The same from what YAML has read; it knows numbers that JSON does not. */
  static JsonNode of(Object value) throws Unreadable {
    try {
      JsonNode node = JSON.valueToTree(value);
      requireFinite(node);
      return node;
    } catch (NumberFormatException e) {
      throw new Unreadable("has a number that JSON cannot hold; write it in quotes");
    }
  }

  private static void requireFinite(JsonNode node) throws Unreadable {
    if (node.isNumber()
        && !node.isIntegralNumber()
        && !Double.isFinite(node.numberValue().doubleValue())) {
      throw new Unreadable(
          "has a number that JSON cannot hold (" + node.asString() + "); write it in quotes");
    }
    for (JsonNode each : node.values()) {
      requireFinite(each);
    }
  }

  private static String place(JacksonException e) {
    return " (line " + e.getLocation().getLineNr() + ", column "
        + e.getLocation().getColumnNr() + ")";
  }

  /** Without what the parser says of itself. */
  private static String plain(String message) {
    return message.replaceAll(" \\(start marker at \\[Source:[^\\]]*\\]\\)", "");
  }
}
