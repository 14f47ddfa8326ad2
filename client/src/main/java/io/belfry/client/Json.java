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

/** Reads and writes JSON trees without changing numbers. Threading: safe. */
final class Json {
  private static final JsonMapper MAPPER = JsonMapper.builder()
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
      .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
      .build();

  private Json() {}

  /**
   * Parses a document.
   *
   * @throws JacksonException if the text is not JSON
   */
  static JsonNode read(byte[] text) {
    return parse(() -> MAPPER.readTree(text));
  }

  /** Likewise. */
  static JsonNode read(String text) {
    return parse(() -> MAPPER.readTree(text));
  }

  /** Turns the exception for an exponent out of range into a {@link JacksonException}. */
  private static JsonNode parse(Supplier<JsonNode> parser) {
    try {
      return parser.get();
    } catch (NumberFormatException e) {
      throw new StreamReadException(null, "a number is out of range", e);
    }
  }

  static byte[] write(JsonNode node) {
    return MAPPER.writeValueAsBytes(node);
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
