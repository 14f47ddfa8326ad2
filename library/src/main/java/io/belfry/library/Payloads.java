package io.belfry.library;

import io.belfry.core.execute.AttemptException;
import io.belfry.model.Check;
import io.belfry.model.job.Payload;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts objects to payloads and back: bytes unchanged, anything else as JSON.
 *
 * <p>Threading: safe.
 */
public final class Payloads {
  private static final String BYTES = "application/octet-stream";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Payloads() {}

  /** Converts an object to a payload of at most 256 KiB. */
  public static Payload of(@Nullable Object value) {
    return switch (value) {
      case null -> Payload.EMPTY;
      case Payload ready -> ready;
      case byte[] bytes -> Payload.of(BYTES, bytes);
      default -> Payload.of(Payload.JSON, json(value));
    };
  }

  private static byte[] json(Object value) {
    try {
      return JSON.writeValueAsBytes(value);
    } catch (JacksonException e) {
      throw Check.refusal(
          "payload",
          value.getClass().getName(),
          "must be an object that can be written as JSON (" + e.getClass().getSimpleName() + ")",
          "Pass a record, a map, a list, a string, a number or bytes.");
    }
  }

  /** Reads the payload as the handler's type. A payload that cannot be read fails the task without a retry. */
  static <T> T read(Payload payload, Class<T> type) throws AttemptException {
    if (type == Payload.class) {
      return type.cast(payload);
    }
    if (type == byte[].class) {
      return type.cast(payload.bytes());
    }
    if (payload.isEmpty()) {
      throw unreadable(type, "it is empty");
    }
    try {
      T value = JSON.readValue(payload.bytes(), type);
      if (value == null) {
        throw unreadable(type, "it is null");
      }
      return value;
    } catch (JacksonException e) {
      // Without the parser's message: it quotes the payload, which may contain secrets.
      throw unreadable(type, e.getClass().getSimpleName() + place(e));
    } catch (NumberFormatException e) {
      throw unreadable(type, "it has a number that no type can hold");
    }
  }

  private static String place(JacksonException e) {
    var at = e.getLocation();
    return at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
  }

  private static AttemptException unreadable(Class<?> type, String why) {
    return AttemptException.rejected("payload must be JSON that can be read as " + type.getName()
        + ", because the handler expects that type, but cannot: " + why
        + ". Submit a payload of that type, or change the handler.");
  }
}
