package io.belfry.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;

/**
 * Parses server-sent events from bytes in pieces of any size. An event is complete after its empty line: an incomplete event is dropped,
 * and the server sends it again.
 *
 * <p>Threading: confined to the stream's reader.
 */
final class SseParser {
  private static final int BYTES_MAX = 16 << 20;

  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final StringBuilder data = new StringBuilder();
  private Optional<String> id = Optional.empty();
  private String type = "";
  private boolean afterReturn;

  /** Parses a piece and passes complete events on. */
  void feed(ByteBuffer bytes, Consumer<ServerEvent> to) throws IOException {
    while (bytes.hasRemaining()) {
      byte next = bytes.get();
      boolean endsReturn = next == '\n' && afterReturn;
      afterReturn = next == '\r';
      if (endsReturn) {
        continue;
      }
      if (next == '\n' || next == '\r') {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        take(text, to);
      } else {
        line.write(next);
        requireBounded();
      }
    }
  }

  private void requireBounded() throws IOException {
    if (line.size() + data.length() > BYTES_MAX) {
      throw new IOException("an event is longer than " + BYTES_MAX + " bytes");
    }
  }

  private void take(String text, Consumer<ServerEvent> to) throws IOException {
    if (text.isEmpty()) {
      dispatch(to);
      return;
    }
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    String value = colon < 0 ? "" : text.substring(colon + 1);
    if (value.startsWith(" ")) {
      value = value.substring(1);
    }
    switch (name) {
      case "id" -> id = Optional.of(value);
      case "event" -> type = value;
      case "data" -> data.append(data.isEmpty() ? "" : "\n").append(value);
      default -> {} // a comment, or a field for browsers
    }
  }

  private void dispatch(Consumer<ServerEvent> to) throws IOException {
    if (!data.isEmpty()) {
      try {
        to.accept(
            new ServerEvent(id, type.isEmpty() ? "message" : type, Json.read(data.toString())));
      } catch (JacksonException e) {
        throw new IOException("the data of an event is not JSON", e);
      }
    }
    id = Optional.empty();
    type = "";
    data.setLength(0);
  }
}
