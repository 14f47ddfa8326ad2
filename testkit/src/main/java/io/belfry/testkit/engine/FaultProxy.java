package io.belfry.testkit.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * A TCP proxy that breaks connections at random byte offsets in both directions, controlled by a seed.
 *
 * <pre>
 *   client ──requests──▶ proxy ──▶ server     after a random number of bytes in either direction:
 *   client ◀──answers─── proxy ◀── server     RESET · CLOSE · STALL (then goes on) · SWALLOW · FREEZE
 * </pre>
 *
 * <p>Faults start with {@link #beginFaults()} and stop with {@link #endFaults()}. A connection that swallows or is frozen
 * stays so: the client must detect it by itself.
 *
 * <p>Threading: safe; two virtual threads per connection.
 */
public final class FaultProxy implements AutoCloseable {
  /** A fault of a connection at an offset. */
  public enum Fault {
    /** RST to both ends. */
    RESET,
    /** FIN to both ends. */
    CLOSE,
    /** This direction pauses for a moment, then continues. Not counted as a cut. */
    STALL,
    /** Bytes are read and dropped, and the connection stays open. */
    SWALLOW,
    /** Bytes are no longer read, so that the sender's buffers fill; the connection stays open. */
    FREEZE
  }

  /**
   * The frequency of the faults.
   *
   * @param stalls of 100 faults
   * @param blackholes of 100 faults, half of them SWALLOW, half FREEZE; the rest are resets and closes
   * @param requestBytes the next fault comes within that many bytes of requests
   * @param answerBytes or of responses
   * @param stallMax the upper bound of a stall
   * @param onlyResets every fault is a reset, after {@code requestBytes} of requests, plus or minus a tenth; responses are not affected
   */
  public record Mix(
      int stalls,
      int blackholes,
      int requestBytes,
      int answerBytes,
      Duration stallMax,
      boolean onlyResets) {
    public static final Mix DEFAULT =
        new Mix(15, 4, 1 << 20, 96 << 10, Duration.ofMillis(120), false);

    /** Like a proxy with a byte limit per connection: under load, calls are always in flight. */
    public static Mix resetsAfter(int requestBytes) {
      return new Mix(0, 0, requestBytes, Integer.MAX_VALUE, Duration.ZERO, true);
    }
  }

  /** The proxy closes a frozen connection after this time, when its client should have closed it long before. */
  private static final long FROZEN_MAX = TimeUnit.SECONDS.toNanos(20);

  /** More bytes than a connection sees. */
  private static final long NEVER = 1L << 60;

  private final ServerSocket listener;
  private final int target;
  private final long seed;
  private final Set<Line> lines = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger cuts = new AtomicInteger();
  private volatile Mix mix;
  private volatile boolean faulty;
  private volatile boolean closed;

  private FaultProxy(ServerSocket listener, int target, long seed, Mix mix) {
    this.listener = listener;
    this.target = target;
    this.seed = seed;
    this.mix = mix;
  }

  public static FaultProxy to(int targetPort, long seed, Mix mix) {
    try {
      var proxy = new FaultProxy(
          new ServerSocket(0, 128, InetAddress.getLoopbackAddress()), targetPort, seed, mix);
      Thread.ofVirtual().start(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException("No port for a proxy.", e);
    }
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Starts faults on all existing and new connections. */
  public void beginFaults() {
    faulty = true;
  }

  /** The same with another mix of faults. A connection uses it after its next scheduled fault. */
  public void beginFaults(Mix others) {
    mix = others;
    faulty = true;
  }

  /** Stops faults. Connections that already swallow or are frozen stay so. */
  public void endFaults() {
    faulty = false;
  }

  /** Connections that were reset, closed, swallowed or frozen so far. */
  public int cuts() {
    return cuts.get();
  }

  @Override
  public void close() {
    closed = true;
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException("The proxy could not be closed.", e);
    } finally {
      lines.forEach(line -> line.end(false));
    }
  }

  private void accept() {
    while (!closed) {
      try {
        connect(listener.accept());
      } catch (IOException e) {
        if (!closed) {
          throw new UncheckedIOException("The proxy lost its port.", e);
        }
      }
    }
  }

  private void connect(Socket client) {
    var server = new Socket();
    var random = new SplittableRandom(seed * 1_000_003 + connections.incrementAndGet());
    var line = new Line(client, server);
    lines.add(line);
    try {
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 2_000);
    } catch (IOException serverAway) {
      line.end(false);
      return;
    }
    RandomGenerator forAnswers = random.split();
    Thread.ofVirtual().start(() -> line.forward(client, server, random, line.requests));
    Thread.ofVirtual().start(() -> line.forward(server, client, forAnswers, line.answers));
  }

  /** Half of the offsets are uniformly distributed, half are close to the beginning. */
  private long offset(RandomGenerator random, boolean ofRequests) {
    Mix now = mix;
    int most = ofRequests ? now.requestBytes : now.answerBytes;
    if (now.onlyResets) {
      return ofRequests ? most - most / 10 + random.nextInt(most / 5 + 1) : NEVER;
    }
    return random.nextBoolean()
        ? random.nextInt(most)
        : (long) Math.exp(random.nextDouble() * Math.log(most)) - 1;
  }

  private Fault draw(RandomGenerator random) {
    if (mix.onlyResets) {
      return Fault.RESET;
    }
    int n = random.nextInt(100);
    if (n < mix.stalls) {
      return Fault.STALL;
    }
    if (n < mix.stalls + mix.blackholes) {
      return random.nextBoolean() ? Fault.SWALLOW : Fault.FREEZE;
    }
    return random.nextBoolean() ? Fault.RESET : Fault.CLOSE;
  }

  /** One direction of a connection. */
  private static final class Direction {
    private volatile boolean swallows;
    private volatile boolean frozen;
  }

  /** One connection: two sockets, two directions. Threading: one virtual thread per direction. */
  private final class Line {
    private final Socket client;
    private final Socket server;
    private final Direction requests = new Direction();
    private final Direction answers = new Direction();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private boolean over;

    Line(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void forward(Socket from, Socket to, RandomGenerator random, Direction own) {
      byte[] buffer = new byte[64 << 10];
      try {
        from.setTcpNoDelay(true);
        to.setTcpNoDelay(true);
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        long left = offset(random, own == requests);
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          left = pass(buffer, n, out, left, random, own);
        }
      } catch (IOException oneSideIsGone) {
        // Broken connections are expected here; the close below breaks both ends.
      } finally {
        end(false);
      }
    }

    /** Forwards the bytes, with the faults that are due in them. Returns the number of bytes until the next fault. */
    private long pass(
        byte[] buffer,
        int length,
        OutputStream out,
        long until,
        RandomGenerator random,
        Direction own)
        throws IOException {
      long left = until;
      int at = 0;
      while (at < length) {
        if (own.frozen) {
          standStill(FROZEN_MAX);
          end(false);
        }
        if (own.swallows) {
          return left;
        }
        int part = faulty ? (int) Math.min(length - at, left) : length - at;
        out.write(buffer, at, part);
        at += part;
        left = Math.max(0, left - part);
        if (faulty && left == 0) {
          meet(draw(random), random, own);
          left = 1 + offset(random, own == requests);
        }
      }
      return left;
    }

    private void meet(Fault fault, RandomGenerator random, Direction own) {
      if (fault == Fault.STALL) {
        standStill((long) (random.nextDouble() * mix.stallMax.toNanos()));
        return;
      }
      cuts.incrementAndGet();
      boolean bothWays = random.nextBoolean();
      switch (fault) {
        case RESET -> end(true);
        case CLOSE -> end(false);
        case SWALLOW -> {
          own.swallows = true;
          requests.swallows |= bothWays;
          answers.swallows |= bothWays;
        }
        case FREEZE -> {
          own.frozen = true;
          requests.frozen |= bothWays;
          answers.frozen |= bothWays;
        }
        case STALL -> throw new IllegalStateException("A stall is not a cut.");
      }
    }

    /** Ends early when the connection is closed. */
    private void standStill(long nanos) {
      lock.lock();
      try {
        for (long left = nanos; left > 0 && !over; ) {
          left = ended.awaitNanos(left);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        lock.unlock();
      }
    }

    void end(boolean abruptly) {
      lock.lock();
      try {
        over = true;
        ended.signalAll();
      } finally {
        lock.unlock();
      }
      lines.remove(this);
      close(client, abruptly);
      close(server, abruptly);
    }

    private static void close(Socket socket, boolean abruptly) {
      try {
        if (abruptly && !socket.isClosed()) {
          socket.setSoLinger(true, 0);
        }
        socket.close();
      } catch (IOException alreadyGone) {
        // The other direction has already closed it.
      }
    }
  }
}
