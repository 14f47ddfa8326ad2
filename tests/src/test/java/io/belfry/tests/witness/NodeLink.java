package io.belfry.tests.witness;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.belfry.model.time.Time;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * All connections of one process to its engine: a TCP proxy for each server of the engine, which can be cut, slowed down or held up
 * together, each direction on its own.
 *
 * <pre>
 *   process ──requests──▶ proxy ──▶ server 1 … n of the engine
 *   process ◀──answers─── proxy ◀── Sentinels name servers by their ports: those are replaced by the ports of the proxies
 * </pre>
 *
 * <p>Threading: safe; four virtual threads per connection.
 */
final class NodeLink implements AutoCloseable {
  private static final int CHUNK_BYTES = 16 << 10;
  private static final int CHUNKS_MAX = 256;

  private final Time time = Time.system();
  private final Map<Integer, ServerSocket> listeners = new HashMap<>();
  private final Set<Integer> sentinels;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean requestsHeld;
  private boolean answersHeld;
  private long answerDelayNanos;
  private volatile boolean refusing;
  private volatile boolean closed;

  /** What was read at once; nothing, when the connection is over. */
  private record Chunk(byte[] bytes, long readNanos) {
    boolean isLast() {
      return bytes.length == 0;
    }
  }

  /**
   * Proxies to these ports.
   *
   * @param sentinels those of them whose answers name other servers
   */
  NodeLink(Collection<Integer> ports, Set<Integer> sentinels) {
    this.sentinels = Set.copyOf(sentinels);
    try {
      for (int port : ports) {
        var listener = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
        if (String.valueOf(port).length()
            != String.valueOf(listener.getLocalPort()).length()) {
          throw new IllegalStateException("port " + port + " cannot be replaced by "
              + listener.getLocalPort() + ", which has another length");
        }
        listeners.put(port, listener);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("No port for a proxy.", e);
    }
    listeners.forEach((port, listener) -> Thread.ofVirtual().start(() -> accept(port, listener)));
  }

  /** The text with the ports of the proxies instead of those of the servers. */
  String replacePorts(String text) {
    var replaced = new StringBuilder(text);
    listeners.forEach((port, listener) -> {
      String from = String.valueOf(port);
      String to = String.valueOf(listener.getLocalPort());
      for (int at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + 1)) {
        boolean whole = !isDigit(text, at - 1) && !isDigit(text, at + from.length());
        if (whole) {
          replaced.replace(at, at + from.length(), to);
        }
      }
    });
    return replaced.toString();
  }

  private static boolean isDigit(String text, int at) {
    return at >= 0 && at < text.length() && Character.isDigit(text.charAt(at));
  }

  /** Nothing passes in these directions, and connections stay open. */
  void hold(boolean requests, boolean answers) {
    change(() -> {
      requestsHeld = requests;
      answersHeld = answers;
    });
  }

  /** Every answer comes so much later. */
  void delayAnswers(Duration by) {
    change(() -> answerDelayNanos = by.toNanos());
  }

  /** All connections are reset, and new ones are refused. */
  void cut() {
    refusing = true;
    sockets.forEach(NodeLink::reset);
  }

  /** Everything passes again, and what was held as well. */
  void mend() {
    refusing = false;
    change(() -> {
      requestsHeld = false;
      answersHeld = false;
      answerDelayNanos = 0;
    });
  }

  private void change(Runnable what) {
    lock.lock();
    try {
      what.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void accept(int port, ServerSocket listener) {
    while (!closed) {
      try {
        Socket client = listener.accept();
        if (refusing) {
          reset(client);
        } else {
          Thread.ofVirtual().start(() -> connect(client, port));
        }
      } catch (IOException e) {
        if (!closed) {
          throw new UncheckedIOException("The proxy of port " + port + " lost its own port.", e);
        }
      }
    }
  }

  private void connect(Socket client, int port) {
    var server = new Socket();
    try {
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 2_000);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
    } catch (IOException serverAway) {
      reset(client);
      reset(server);
      return;
    }
    sockets.add(client);
    sockets.add(server);
    pump(client, server, true, false);
    pump(server, client, false, sentinels.contains(port));
    if (refusing || closed) { // cut meanwhile
      reset(client);
      reset(server);
    }
  }

  private void pump(Socket from, Socket to, boolean requests, boolean naming) {
    var chunks = new ArrayBlockingQueue<Chunk>(CHUNKS_MAX);
    Thread.ofVirtual().start(() -> read(from, chunks));
    Thread.ofVirtual().start(() -> write(chunks, from, to, requests, naming));
  }

  private void read(Socket from, BlockingQueue<Chunk> to) {
    byte[] buffer = new byte[CHUNK_BYTES];
    try {
      try {
        for (int n = from.getInputStream().read(buffer);
            n >= 0;
            n = from.getInputStream().read(buffer)) {
          to.put(new Chunk(Arrays.copyOf(buffer, n), time.nanos()));
        }
      } catch (IOException gone) {
        // The other side is told by the end below, behind what was read before.
      }
      to.put(new Chunk(new byte[0], time.nanos()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(
      BlockingQueue<Chunk> chunks, Socket from, Socket to, boolean requests, boolean naming) {
    try {
      OutputStream out = to.getOutputStream();
      boolean over = false;
      while (!over) {
        Chunk each = chunks.take();
        awaitPassage(each, requests);
        out.write(naming ? named(each.bytes) : each.bytes);
        over = each.isLast();
      }
    } catch (IOException oneSideIsGone) {
      // Both sides see it by the reset below.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      reset(from);
      reset(to);
      sockets.remove(from);
      sockets.remove(to);
      chunks.clear(); // a reader may wait for room
    }
  }

  private byte[] named(byte[] answer) {
    return replacePorts(new String(answer, ISO_8859_1)).getBytes(ISO_8859_1);
  }

  private void awaitPassage(Chunk chunk, boolean requests) throws InterruptedException {
    lock.lock();
    try {
      while (!closed) {
        long left = requests ? 0 : chunk.readNanos + answerDelayNanos - time.nanos();
        if (requests ? requestsHeld : answersHeld) {
          changed.await();
        } else if (left > 0) {
          long unused = changed.awaitNanos(left);
        } else {
          return;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private static void reset(Socket socket) {
    try {
      if (!socket.isClosed()) {
        socket.setSoLinger(true, 0);
      }
    } catch (IOException closedMeanwhile) {
      return;
    }
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException("A socket could not be closed.", e);
    }
  }

  @Override
  public void close() {
    closed = true;
    for (ServerSocket each : listeners.values()) {
      try {
        each.close();
      } catch (IOException e) {
        throw new UncheckedIOException("A proxy could not be closed.", e);
      }
    }
    sockets.forEach(NodeLink::reset);
    mend();
  }
}
