package io.belfry.cli.verb;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** Parses JSON and YAML values without changing any digit of their numbers. Threading: stateless. */
final class ExactJson {
  private static final JsonMapper JSON = JsonMapper.builder()
      .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
      .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
      .build();

  /** The text is not JSON. The message continues a sentence after "but". */
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
    } catch (NumberFormatException e) { // the exponent is out of range
      throw new Unreadable("has a number that is too large");
    }
  }

  /** Converts a value parsed from YAML, which has numbers that JSON does not have. */
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

  /** The message without the details of the parser. */
  private static String plain(String message) {
    return message.replaceAll(" \\(start marker at \\[Source:[^\\]]*\\]\\)", "");
  }
}
