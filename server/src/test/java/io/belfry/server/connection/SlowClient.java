package io.belfry.server.connection;

import io.belfry.model.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** A slow client. Threading: confined to its own thread. */
final class SlowClient {
  private static final Time TIME = Time.system();
  private static final Duration PATIENCE = Duration.ofSeconds(25);

  /**
   * How a connection ended.
   *
   * @param open whether it never did
   * @param after how long after it was opened
   * @param text all that the server sent
   */
  record End(boolean open, Duration after, String text) {}

  private final int port;
  private final String first;
  private final byte[] piece;
  private final Duration pause;
  private final int pieces;

  /**
   * Creates the client.
   *
   * @param first sent at once
   * @param piece sent after each pause, until the server closes
   * @param pieces at most so many
   */
  SlowClient(int port, String first, byte[] piece, Duration pause, int pieces) {
    this.port = port;
    this.first = first;
    this.piece = piece.clone();
    this.pause = pause;
    this.pieces = pieces;
  }

  static CompletableFuture<End> bytes(int port, String first, int bytes, Duration pause) {
    byte[] piece = "a".repeat(bytes).getBytes(StandardCharsets.US_ASCII);
    return new SlowClient(port, first, piece, pause, Integer.MAX_VALUE).start();
  }

  CompletableFuture<End> start() {
    var end = new CompletableFuture<End>();
    Thread.startVirtualThread(() -> {
      try {
        end.complete(run());
      } catch (IOException | RuntimeException e) {
        end.completeExceptionally(e);
      }
    });
    return end;
  }

  private End run() throws IOException {
    long begun = TIME.nanos();
    var text = new ByteArrayOutputStream();
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) Math.max(1, pause.toMillis()));
      socket.getOutputStream().write(first.getBytes(StandardCharsets.US_ASCII));
      int sent = 0;
      while (TIME.nanos() - begun < PATIENCE.toNanos()) {
        if (ended(socket.getInputStream(), text)) {
          return new End(false, Duration.ofNanos(TIME.nanos() - begun), text(text));
        }
        if (sent < pieces) {
          socket.getOutputStream().write(piece);
          sent++;
        }
      }
    } catch (java.net.SocketException e) {
      // The server has closed the connection while this client was writing.
      return new End(false, Duration.ofNanos(TIME.nanos() - begun), text(text));
    }
    return new End(true, PATIENCE, text(text));
  }

  /** Reads for one pause. */
  private static boolean ended(InputStream in, ByteArrayOutputStream text) throws IOException {
    try {
      byte[] some = new byte[8192];
      int count = in.read(some);
      if (count > 0) {
        text.write(some, 0, count);
      }
      return count < 0;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** Sends requests until the server does not take any more, and reads a little a second. */
  static CompletableFuture<End> reader(int port, String request) {
    var end = new CompletableFuture<End>();
    Thread.startVirtualThread(() -> {
      long begun = TIME.nanos();
      try (var socket = new Socket()) {
        socket.setReceiveBufferSize(8192);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        Thread.startVirtualThread(() -> keepAsking(socket, request));
        boolean open = true;
        while (open && TIME.nanos() - begun < PATIENCE.toNanos()) {
          LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
          open = socket.getInputStream().read(new byte[4096]) >= 0;
        }
        end.complete(new End(open, Duration.ofNanos(TIME.nanos() - begun), ""));
      } catch (IOException e) {
        end.complete(new End(false, Duration.ofNanos(TIME.nanos() - begun), ""));
      }
    });
    return end;
  }

  private static void keepAsking(Socket socket, String request) {
    try {
      while (!socket.isClosed()) {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      return; // the server has closed the connection, which is what the reader waits for
    }
  }
}
