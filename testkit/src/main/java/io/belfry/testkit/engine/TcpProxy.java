package io.belfry.testkit.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A TCP proxy that a test can cut. Forwards bytes between a client and a server on loopback in both directions, until the test
 * stops it.
 *
 * <pre>
 *   client ──requests──▶ proxy ──▶ server
 *   client ◀──responses─ proxy ◀── server     each direction can be stalled separately
 * </pre>
 *
 * <p>Threading: safe; two virtual threads per connection.
 */
public final class TcpProxy implements AutoCloseable {
  private final ServerSocket listener;
  private volatile int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean requestsHeld;
  private boolean answersHeld;
  private volatile boolean refusing;
  private volatile boolean closed;

  private TcpProxy(ServerSocket listener, int target) {
    this.listener = listener;
    this.target = target;
  }

  public static TcpProxy to(int targetPort) {
    try {
      var proxy =
          new TcpProxy(new ServerSocket(0, 128, InetAddress.getLoopbackAddress()), targetPort);
      Thread.ofVirtual().start(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException("No port for a proxy.", e);
    }
  }

  /** Opens a proxy whose server does not exist yet. No client may connect before {@link #lead(int)}. */
  public static TcpProxy toNobodyYet() {
    return to(0);
  }

  /** Sets the port of the server for new connections. */
  public void lead(int targetPort) {
    target = targetPort;
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Holds back responses while requests still arrive: the client does not learn what the server did. */
  public void holdAnswers() {
    set(requestsHeld, true);
  }

  /** Stalls both directions; connections stay open. */
  public void holdAll() {
    set(true, true);
  }

  /** Ends a stall and forwards the held bytes. */
  public void release() {
    set(false, false);
  }

  /** Breaks all connections, loses the held bytes, and refuses new connections until {@link #mend()}. */
  public void cut() {
    refusing = true;
    breakConnections();
  }

  public void mend() {
    refusing = false;
    release();
  }

  /** Breaks all connections; new ones are accepted. */
  public void breakConnections() {
    sockets.forEach(TcpProxy::closeNow);
    sockets.clear();
  }

  @Override
  public void close() {
    closed = true;
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException("The proxy could not be closed.", e);
    } finally {
      breakConnections();
      release();
    }
  }

  private void set(boolean requests, boolean answers) {
    lock.lock();
    try {
      requestsHeld = requests;
      answersHeld = answers;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void accept() {
    while (!closed) {
      try {
        Socket client = listener.accept();
        if (refusing) {
          closeNow(client);
        } else {
          connect(client);
        }
      } catch (IOException e) {
        if (!closed) {
          throw new UncheckedIOException("The proxy lost its port.", e);
        }
      }
    }
  }

  private void connect(Socket client) {
    var server = new Socket();
    try {
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 2_000);
    } catch (IOException serverAway) {
      closeNow(client);
      closeNow(server);
      return;
    }
    sockets.add(client);
    sockets.add(server);
    Thread.ofVirtual().start(() -> forward(client, server, true));
    Thread.ofVirtual().start(() -> forward(server, client, false));
  }

  private void forward(Socket from, Socket to, boolean requests) {
    byte[] buffer = new byte[64 << 10];
    try {
      from.setTcpNoDelay(true);
      to.setTcpNoDelay(true);
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        awaitPassage(requests);
        out.write(buffer, 0, n);
      }
    } catch (IOException | InterruptedException oneSideIsGone) {
      // Broken connections are expected here; the close below breaks both ends.
    } finally {
      closeNow(from);
      closeNow(to);
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private void awaitPassage(boolean requests) throws InterruptedException {
    lock.lock();
    try {
      while (!closed && (requests ? requestsHeld : answersHeld)) {
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  private static void closeNow(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException("A socket could not be closed.", e);
    }
  }
}
