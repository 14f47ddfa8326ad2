package io.belfry.bench.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One keep-alive HTTP connection. Threading: confined. */
final class HttpConnection implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  /** A response. */
  record Answer(int status, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  HttpConnection(URI server) throws IOException {
    socket = new Socket(InetAddress.getByName(server.getHost()), server.getPort());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(60_000);
    in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
    out = socket.getOutputStream();
  }

  /** A serialized request, which can be sent repeatedly. */
  static byte[] request(String method, String path, String token, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String head =
        method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + token
            + "\r\nContent-Type: application/json\r\nContent-Length: " + bytes.length + "\r\n\r\n";
    byte[] first = head.getBytes(StandardCharsets.ISO_8859_1);
    byte[] all = new byte[first.length + bytes.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(bytes, 0, all, first.length, bytes.length);
    return all;
  }

  Answer ask(byte[] request) throws IOException {
    out.write(request);
    out.flush();
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    int length = 0;
    boolean chunked = false;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring("content-length:".length()).strip());
      } else if (lower.startsWith("transfer-encoding:")) {
        chunked = lower.endsWith("chunked");
      }
    }
    return new Answer(status, chunked ? chunks() : in.readNBytes(length));
  }

  private byte[] chunks() throws IOException {
    var all = new ByteArrayOutputStream();
    for (int size = chunkSize(); size > 0; size = chunkSize()) {
      all.write(in.readNBytes(size));
      line();
    }
    line();
    return all.toByteArray();
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(line(), 16);
  }

  private String line() throws IOException {
    var text = new StringBuilder(64);
    int next = in.read();
    while (next != '\n') {
      if (next < 0) {
        throw new EOFException("The server closed the connection.");
      }
      if (next != '\r') {
        text.append((char) next);
      }
      next = in.read();
    }
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
