package io.belfry.library;

import io.belfry.core.submit.PayloadPath;
import io.belfry.model.job.Payload;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/** Reads one value of a JSON payload without parsing the rest into a tree. Threading: safe. */
final class JsonPath implements PayloadPath {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Override
  public Optional<String> find(Payload payload, List<String> path) {
    if (payload.isEmpty() || !payload.contentType().startsWith(Payload.JSON)) {
      return Optional.empty();
    }
    try (JsonParser in = JSON.createParser(payload.bytes())) {
      var unused = in.nextToken();
      for (String step : path) {
        if (!enter(in, step)) {
          return Optional.empty();
        }
      }
      return in.currentToken() != null && isPlain(in.currentToken())
          ? Optional.of(in.getString())
          : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty(); // not JSON: the value is missing
    }
  }

  private static boolean isPlain(JsonToken token) {
    return token.isScalarValue() && token != JsonToken.VALUE_NULL;
  }

  /** Moves to the value of the field, or to the array element at the index; false if there is none. */
  private static boolean enter(JsonParser in, String step) {
    if (in.currentToken() == JsonToken.START_OBJECT) {
      while (in.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean found = in.currentName().equals(step);
        var unused = in.nextToken();
        if (found) {
          return true;
        }
        in.skipChildren();
      }
      return false;
    }
    if (in.currentToken() != JsonToken.START_ARRAY || !step.matches("[0-9]{1,6}")) {
      return false;
    }
    int left = Integer.parseInt(step);
    while (in.nextToken() != JsonToken.END_ARRAY) {
      if (left-- == 0) {
        return true;
      }
      in.skipChildren();
    }
    return false;
  }
}
