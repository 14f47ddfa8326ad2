package io.belfry.testkit.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Sends one command to a Redis server, without the client library under test. Strings are bytes as Latin-1; a server error
 * is a result that starts with {@code -}.
 *
 * <p>Threading: stateless.
 */
final class RawRedisClient {
  private static final int PATIENCE_MILLIS = 10_000;

  private RawRedisClient() {}

  /** The flattened reply: empty, one string, or the strings of an array from left to right. */
  static List<String> ask(int port, Optional<String> login, List<String> command) {
    try (var socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
      socket.setSoTimeout(PATIENCE_MILLIS);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      if (login.isPresent()) {
        socket.getOutputStream().write(encode(List.of(("AUTH " + login.get()).split(" ", -1))));
        read(in, new ArrayList<>());
      }
      socket.getOutputStream().write(encode(command));
      var answer = new ArrayList<String>();
      read(in, answer);
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException("Redis on port " + port + " did not reply.", e);
    }
  }

  private static byte[] encode(List<String> command) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(("*" + command.size() + "\r\n").getBytes(ISO_8859_1));
    for (String each : command) {
      byte[] bytes = each.getBytes(ISO_8859_1);
      out.writeBytes(("$" + bytes.length + "\r\n").getBytes(ISO_8859_1));
      out.writeBytes(bytes);
      out.writeBytes("\r\n".getBytes(ISO_8859_1));
    }
    return out.toByteArray();
  }

  private static void read(InputStream in, List<String> into) throws IOException {
    String line = line(in);
    switch (line.charAt(0)) {
      case '+', ':' -> into.add(line.substring(1));
      case '-' -> into.add(line);
      case '$' -> {
        int length = Integer.parseInt(line.substring(1));
        if (length >= 0) {
          into.add(new String(in.readNBytes(length), ISO_8859_1));
          in.skipNBytes(2);
        }
      }
      case '*' -> {
        for (int i = Integer.parseInt(line.substring(1)); i > 0; i--) {
          read(in, into);
        }
      }
      default -> throw new IOException("Not a Redis reply: " + line);
    }
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("Redis closed the connection.");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
