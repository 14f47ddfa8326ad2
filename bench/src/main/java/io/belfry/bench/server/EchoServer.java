package io.belfry.bench.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** Responds to every call at once, and counts the calls. Threading: safe. */
final class EchoServer implements AutoCloseable {
  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok"
          .getBytes(StandardCharsets.ISO_8859_1);
  private static final String LENGTH = "content-length:";

  private final ServerSocket socket;
  private final AtomicLong calls = new AtomicLong();

  EchoServer() throws IOException {
    socket = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().name("echo").start(this::accept);
  }

  String url() {
    return "http://127.0.0.1:" + socket.getLocalPort() + "/";
  }

  long calls() {
    return calls.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket caller = socket.accept();
        caller.setTcpNoDelay(true);
        Thread.ofVirtual().start(() -> serve(caller));
      }
    } catch (IOException e) {
      if (!socket.isClosed()) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }

  private void serve(Socket caller) {
    try (caller;
        InputStream in = new BufferedInputStream(caller.getInputStream(), 16 * 1024);
        OutputStream out = caller.getOutputStream()) {
      while (takesOne(in)) {
        calls.incrementAndGet();
        out.write(ANSWER);
      }
    } catch (IOException e) {
      // The caller has closed the connection, and reports an error if that was wrong.
      Thread.currentThread().interrupt();
    }
  }

  /** Reads one complete request; false at the end of the connection. */
  private static boolean takesOne(InputStream in) throws IOException {
    int length = 0;
    var line = new StringBuilder(64);
    int next = in.read();
    while (next >= 0) {
      if (next == '\n') {
        if (line.isEmpty()) {
          in.skipNBytes(length);
          return true;
        }
        if (line.length() > LENGTH.length()
            && line.substring(0, LENGTH.length()).equalsIgnoreCase(LENGTH)) {
          length = Integer.parseInt(line.substring(LENGTH.length()).strip());
        }
        line.setLength(0);
      } else if (next != '\r') {
        line.append((char) next);
      }
      next = in.read();
    }
    return false;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
