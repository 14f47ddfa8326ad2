package io.belfry.client;

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

  static JsonNode read(byte[] text) {
    return MAPPER.readTree(text);
  }

  static JsonNode read(String text) {
    return MAPPER.readTree(text);
  }

  static byte[] write(JsonNode node) {
    return MAPPER.writeValueAsBytes(node);
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
