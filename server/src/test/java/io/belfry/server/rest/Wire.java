package io.belfry.server.rest;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** A connection on which anything can be sent, also what no client would let through. Threading: confined to its owner. */
final class Wire implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;

  /** What came back. */
  record Reply(int status, Map<String, String> headers, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    boolean isJson() {
      return headers.getOrDefault("content-type", "").startsWith("application/json");
    }

    boolean isEndless() {
      return headers.getOrDefault("content-type", "").startsWith("text/event-stream");
    }
  }

  private final int port;
  private Optional<Socket> socket = Optional.empty();
  private InputStream in = InputStream.nullInputStream();
  private boolean answered;
  private int hangUps;

  Wire(int port) {
    this.port = port;
  }

  /**
   * Sends it and reads the answer.
   *
   * @param bodiless whether the answer has no body, whatever its head says, because only the head was asked for
   */
  Reply send(byte[] request, boolean bodiless) {
    return send(bodiless, request);
  }

  /** Sends the head alone and its body after it, as many clients do. */
  Reply sendApart(byte[] head, byte[] body) {
    return send(false, head, body);
  }

  private Reply send(boolean bodiless, byte[]... parts) {
    try {
      if (socket.isEmpty()) {
        connect();
      }
      try {
        write(parts);
        return read(bodiless);
      } catch (EOFException | java.net.SocketException e) {
        // The server may close a connection after it has said so; on a new one it must answer.
        if (answered) {
          hangUps++;
        }
        connect();
        write(parts);
        return read(bodiless);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(byte[]... parts) throws IOException {
    for (byte[] part : parts) {
      socket.orElseThrow().getOutputStream().write(part);
    }
  }

  private void connect() throws IOException {
    close();
    var opened = new Socket(InetAddress.getLoopbackAddress(), port);
    opened.setTcpNoDelay(true);
    opened.setSoTimeout(PATIENCE_MILLIS);
    answered = false;
    in = new BufferedInputStream(opened.getInputStream());
    socket = Optional.of(opened);
  }

  private Reply read(boolean bodiless) throws IOException {
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    Map<String, String> headers = headers();
    if (status == 100) {
      return read(bodiless);
    }
    var head = new Reply(status, headers, new byte[0]);
    byte[] body = bodiless || status == 204 || status == 304 || head.isEndless()
        ? new byte[0]
        : body(headers);
    if (head.isEndless() || headers.getOrDefault("connection", "").equalsIgnoreCase("close")) {
      close();
    }
    answered = true;
    return new Reply(status, headers, body);
  }

  /** How often the server closed a connection after an answer without having said so in it. */
  int hangUps() {
    return hangUps;
  }

  private byte[] body(Map<String, String> headers) throws IOException {
    byte[] sent = sent(headers);
    return headers.getOrDefault("content-encoding", "").equals("gzip")
        ? new GZIPInputStream(new ByteArrayInputStream(sent)).readAllBytes()
        : sent;
  }

  private byte[] sent(Map<String, String> headers) throws IOException {
    if (headers.containsKey("content-length")) {
      return in.readNBytes(Integer.parseInt(headers.get("content-length")));
    }
    if (headers.getOrDefault("transfer-encoding", "").equals("chunked")) {
      return chunks();
    }
    return in.readAllBytes();
  }

  private byte[] chunks() throws IOException {
    var all = new ByteArrayOutputStream();
    int length = Integer.parseInt(line(), 16);
    while (length > 0) {
      all.write(in.readNBytes(length));
      line();
      length = Integer.parseInt(line(), 16);
    }
    line();
    return all.toByteArray();
  }

  private Map<String, String> headers() throws IOException {
    var headers = new HashMap<String, String>();
    String line = line();
    while (!line.isEmpty()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT),
          line.substring(colon + 1).strip());
      line = line();
    }
    return headers;
  }

  private String line() throws IOException {
    var line = new ByteArrayOutputStream();
    int next = in.read();
    while (next != '\n') {
      if (next < 0) {
        throw new EOFException("the server has closed the connection");
      }
      if (next != '\r') {
        line.write(next);
      }
      next = in.read();
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    if (socket.isPresent()) {
      socket.get().close();
      socket = Optional.empty();
    }
  }
}
