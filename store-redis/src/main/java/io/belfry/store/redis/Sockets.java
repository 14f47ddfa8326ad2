package io.belfry.store.redis;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Sockets to one server, plain or over TLS, with patience for every step. Threading: immutable. */
record Sockets(HostAndPort at, Optional<SSLSocketFactory> tls, int connectMillis, int readMillis)
    implements JedisSocketFactory {

  @Override
  public Socket createSocket() {
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
