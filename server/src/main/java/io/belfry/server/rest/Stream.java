package io.belfry.server.rest;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * One answer that goes on: server-sent events, written by the request's own thread.
 *
 * <p>Threading: confined to the request.
 */
final class Stream {
  private final OutputStream out;

  private Stream(OutputStream out) {
    this.out = out;
  }

  /** Says what would be sent. */
  static void head(Context context) {
    context.status(200);
    context.contentType("text/event-stream; charset=utf-8");
    context.header("X-Accel-Buffering", "no");
  }

  static Stream begin(Context context) throws IOException {
    head(context);
    var stream = new Stream(context.res().getOutputStream());
    stream.say(": here\n\n");
    return stream;
  }

  /** Sends one event. Data must have no line breaks, as JSON has none. */
  void event(String id, String type, String json) throws IOException {
    write("id: " + id + "\nevent: " + type + "\ndata: " + json + "\n\n");
  }

  /** Lets the connection be seen to live, by whoever is between. */
  void beat() throws IOException {
    say(": still here\n\n");
  }

  void flush() throws IOException {
    out.flush();
  }

  private void say(String text) throws IOException {
    write(text);
    flush();
  }

  private void write(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
