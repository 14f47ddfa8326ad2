package io.belfry.store.redis;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
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
  private final HostAndPort at;
  private final Optional<SSLSocketFactory> tls;
  private final int connectMillis;
  private final int readMillis;
  private final AtomicBoolean made = new AtomicBoolean();

  OneSocket(HostAndPort at, Optional<SSLSocketFactory> tls, int connectMillis, int readMillis) {
    this.at = at;
    this.tls = tls;
    this.connectMillis = connectMillis;
    this.readMillis = readMillis;
  }

  HostAndPort at() {
    return at;
  }

  @Override
  public Socket createSocket() {
    if (!made.compareAndSet(false, true)) {
      throw new JedisConnectionException("The connection to " + at + " was cut.");
    }
    var socket = new Socket();
    try {
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
