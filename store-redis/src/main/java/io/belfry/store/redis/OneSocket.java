package io.belfry.store.redis;

import io.belfry.model.time.Time;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * The one socket of a wire, plain or over TLS, with patience for every step.
 *
 * <p>Jedis asks for another when it is to write after the first was closed, and would go on upon it: without a login, in another epoch,
 * or long after whoever cut the wire has gone. A wire that was cut stays cut.
 *
 * <p>Threading: safe.
 */
final class OneSocket implements JedisSocketFactory {
  private static final Logger LOG = LoggerFactory.getLogger(OneSocket.class);

  private final HostAndPort at;
  private final Optional<SSLSocketFactory> tls;
  private final int connectMillis;
  private final int readMillis;
  private final AtomicBoolean made = new AtomicBoolean();
  private final Time time;
  private final Consumer<OneSocket> onCut;
  private volatile boolean cut;
  private volatile @Nullable Socket plain;
  private volatile boolean writing;
  private volatile long writingSince;

  OneSocket(
      HostAndPort at,
      Optional<SSLSocketFactory> tls,
      Duration connect,
      Duration answer,
      Time time,
      Consumer<OneSocket> onCut) {
    this.at = at;
    this.tls = tls;
    this.connectMillis = (int) connect.toMillis();
    this.readMillis = (int) answer.toMillis();
    this.time = time;
    this.onCut = onCut;
  }

  void beginsWriting() {
    writingSince = time.nanos();
    writing = true;
  }

  void endsWriting() {
    writing = false;
  }

  /** Whether a write has not come to its end for so long: the socket's timeout is one for reads only. */
  boolean isWritingFor(Duration patience) {
    return writing && time.nanos() - writingSince >= patience.toNanos();
  }

  @Override
  public Socket createSocket() {
    if (!made.compareAndSet(false, true)) {
      throw new JedisConnectionException("The connection to " + at + " was cut.");
    }
    var socket = new Socket();
    plain = socket;
    try {
      if (cut) {
        throw new SocketException("The store is closed.");
      }
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      socket.setSoTimeout(readMillis);
      socket.connect(new InetSocketAddress(at.getHost(), at.getPort()), connectMillis);
      return tls.isPresent() ? wrap(tls.get(), socket) : socket;
    } catch (IOException e) {
      close(socket, e);
      throw new JedisConnectionException("No connection to " + at + ".", e);
    }
  }

  /**
   * Ends it now, for whoever reads, writes or still connects. By the socket below TLS: to close TLS means to write, which
   * waits for a peer that does not read.
   */
  void cut() {
    cut = true;
    onCut.accept(this);
    Socket socket = plain;
    if (socket != null) {
      try {
        socket.close();
      } catch (IOException e) {
        LOG.debug("A connection to {} was already gone.", at, e);
      }
    }
  }

  private Socket wrap(SSLSocketFactory factory, Socket plain) throws IOException {
    SSLSocket socket = (SSLSocket) factory.createSocket(plain, at.getHost(), at.getPort(), true);
    socket.setSSLParameters(Tls.verifyingHosts(socket.getSSLParameters()));
    socket.startHandshake();
    return socket;
  }

  private static void close(Socket socket, IOException because) {
    try {
      socket.close();
    } catch (IOException e) {
      because.addSuppressed(e);
    }
  }
}
