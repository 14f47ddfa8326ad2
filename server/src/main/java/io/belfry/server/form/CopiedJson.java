package io.belfry.server.form;

import io.belfry.executors.json.Json;
import io.belfry.model.job.Payload;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JacksonSerializable;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.jsontype.TypeSerializer;

/**
 * A payload of JSON that is copied into an answer token by token. As a tree it would take up to twenty times its size. Threading: immutable.
 */
record CopiedJson(Payload payload) implements JacksonSerializable {
  /** Smaller ones are small as trees, too. */
  static final int WORTH_BYTES = 8 << 10;

  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /** Whether it is one document that can be copied to its end, so that what was begun can be finished. */
  static boolean isGood(Payload payload) {
    try (JsonParser in = parser(payload)) {
      return Json.reading(() -> isOne(in));
    } catch (JacksonException e) {
      return false;
    }
  }

  private static boolean isOne(JsonParser in) {
    int depth = 0;
    int documents = 0;
    for (JsonToken token = in.nextToken(); token != null; token = in.nextToken()) {
      documents += depth == 0 && !token.isStructEnd() ? 1 : 0;
      depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      if (token == JsonToken.VALUE_NUMBER_FLOAT) {
        var unused = in.getDecimalValue();
      } else if (token == JsonToken.VALUE_STRING) {
        in.finishToken();
      }
    }
    return documents == 1;
  }

  private static JsonParser parser(Payload payload) {
    return FACTORY.createParser(tools.jackson.core.ObjectReadContext.empty(), payload.bytes());
  }

  @Override
  public void serialize(JsonGenerator out, SerializationContext context) {
    try (JsonParser in = parser(payload)) {
      in.nextToken();
      out.copyCurrentStructureExact(in);
    }
  }

  @Override
  public void serializeWithType(
      JsonGenerator out, SerializationContext context, TypeSerializer types) {
    serialize(out, context);
  }
}
