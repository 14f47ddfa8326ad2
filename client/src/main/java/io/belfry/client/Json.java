package io.belfry.client;

import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Trees that say exactly what was sent, numbers too. Threading: safe. */
final class Json {
  private static final JsonMapper MAPPER = JsonMapper.builder()
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
      .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
      .build();

  private Json() {}

  /**
   * The document.
   *
   * @throws JacksonException if it is none
   */
  static JsonNode read(byte[] text) {
    return reading(() -> MAPPER.readTree(text));
  }

  /** Likewise. */
  static JsonNode read(String text) {
    return reading(() -> MAPPER.readTree(text));
  }

  /** A number whose exponent no type can hold is refused by the parser of numbers, in a way of its own. */
  private static JsonNode reading(Supplier<JsonNode> reading) {
    try {
      return reading.get();
    } catch (NumberFormatException e) {
      throw new StreamReadException(null, "a number is beyond all types of numbers", e);
    }
  }

  static byte[] write(JsonNode node) {
    return MAPPER.writeValueAsBytes(node);
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
