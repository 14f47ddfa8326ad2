package io.belfry.server.connection;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connector that accepts connections under the limits of {@link Connections}. Threading: that of the web server. */
final class GuardedConnector extends ServerConnector {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedConnector.class);
  private static final long SCAN_MILLIS = 250;

  private final Connections connections;

  GuardedConnector(Server server, Connections connections, ConnectionFactory... factories) {
    super(server, factories);
    this.connections = connections;
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    scanLater();
  }

  private void scanLater() {
    var unused = getScheduler().schedule(this::scan, SCAN_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** An exception ends only this scan; without further scans, slow clients would never be closed. */
  private void scan() {
    if (!isRunning()) {
      return;
    }
    try {
      connections.scan();
    } catch (RuntimeException | Error e) {
      LOG.error("Connections: a scan for slow clients failed. Scanning continues.", e);
    } finally {
      scanLater();
    }
  }

  @Override
  protected SocketChannelEndPoint newEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key) throws IOException {
    var endPoint = new MeteredEndPoint(channel, selector, key, getScheduler(), connections);
    endPoint.setIdleTimeout(getIdleTimeout());
    return endPoint;
  }
}
