package io.belfry.server.rest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A request whose head was sent, and whose body comes when the test wants it. Threading: confined to its test. */
final class Unfinished implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;

  private final Socket socket;

  /**
   * Sends the head.
   *
   * @param length of the body
   */
  Unfinished(int port, String method, String path, String token, int length) throws IOException {
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(PATIENCE_MILLIS);
    String authorization = token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n";
    send(method + " " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + authorization
        + "Content-Type: application/json\r\nContent-Length: " + length + "\r\n\r\n");
  }

  void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  /** Whether the server has answered already. */
  boolean isAnswered() throws IOException {
    return socket.getInputStream().available() > 0;
  }

  int status() throws IOException {
    var in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    return Integer.parseInt(in.readLine().split(" ", 3)[1]);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
