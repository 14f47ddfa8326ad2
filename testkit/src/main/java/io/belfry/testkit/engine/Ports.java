package io.belfry.testkit.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Free ports on loopback. Another process may take a port before it is used, so that starting a server is retried. */
public final class Ports {
  private Ports() {}

  public static int free() {
    return free(1).getFirst();
  }

  /** Several different ports at once. */
  public static List<Integer> free(int count) {
    var sockets = new ArrayList<ServerSocket>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("No free port on loopback.", e);
    } finally {
      for (ServerSocket socket : sockets) {
        giveBack(socket);
      }
    }
  }

  private static void giveBack(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException("A port that was just bound could not be given back.", e);
    }
  }
}
