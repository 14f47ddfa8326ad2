package io.belfry.server.connection;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A socket that counts its bytes. It is below TLS, so that incomplete handshakes are limited, too.
 *
 * <p>Threading: safe.
 */
final class MeteredEndPoint extends SocketChannelEndPoint implements Client.Socket {
  private static final Logger LOG = LoggerFactory.getLogger(MeteredEndPoint.class);

  private final Connections connections;
  private final Client client;
  private volatile boolean received;
  private final AtomicLong bytesOut = new AtomicLong();

  MeteredEndPoint(
      SocketChannel channel,
      ManagedSelector selector,
      SelectionKey key,
      Scheduler scheduler,
      Connections connections)
      throws IOException {
    super(channel, selector, key, scheduler);
    this.connections = connections;
    InetAddress from = channel.getRemoteAddress() instanceof InetSocketAddress address
        ? address.getAddress()
        : InetAddress.getLoopbackAddress();
    this.client = new Client(this, from, connections.now());
  }

  Client client() {
    return client;
  }

  @Override
  public void onOpen() {
    super.onOpen();
    connections.opened(client);
  }

  @Override
  public void onClose(@Nullable Throwable cause) {
    connections.closed(client);
    super.onClose(cause);
  }

  @Override
  public int fill(ByteBuffer buffer) throws IOException {
    int count = super.fill(buffer);
    if (count > 0) {
      received = true;
      connections.received(client);
    }
    return count;
  }

  @Override
  public boolean flush(ByteBuffer... buffers) throws IOException {
    long before = remaining(buffers);
    try {
      return super.flush(buffers);
    } finally {
      bytesOut.addAndGet(before - remaining(buffers));
    }
  }

  private static long remaining(ByteBuffer[] buffers) {
    long sum = 0;
    for (ByteBuffer buffer : buffers) {
      sum += buffer.remaining();
    }
    return sum;
  }

  @Override
  public long bytesOut() {
    return bytesOut.get();
  }

  @Override
  public boolean writePending() {
    return getWriteFlusher().isPending();
  }

  @Override
  public void close(CloseReason reason, boolean answer) {
    if (answer && received && !(getConnection() instanceof SslConnection)) {
      try {
        int unused = getChannel().write(timeout(reason));
      } catch (IOException e) {
        LOG.debug("A connection was closed without an answer.", e);
      }
    }
    // Pending writes fail as if the client had disconnected, which is not logged as an error.
    close(new EofException(reason.text()));
  }

  private static ByteBuffer timeout(CloseReason reason) {
    String body = "{\"code\":\"timeout\",\"message\":\"The request was not read, because "
        + reason.text() + ". Send it faster, or raise the limit.\"}";
    return ByteBuffer.wrap(("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n"
            + "Cache-Control: no-store\r\nContent-Type: application/json; charset=utf-8\r\n"
            + "X-Content-Type-Options: nosniff\r\nContent-Length: " + body.length() + "\r\n\r\n"
            + body)
        .getBytes(StandardCharsets.US_ASCII));
  }
}
