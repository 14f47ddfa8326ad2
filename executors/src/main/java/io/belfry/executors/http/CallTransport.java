package io.belfry.executors.http;

import java.net.ConnectException;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.client.AbstractConnectionPool;
import org.eclipse.jetty.client.Connection;
import org.eclipse.jetty.client.Destination;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Origin;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.client.transport.HttpDestination;
import org.eclipse.jetty.client.transport.HttpExchange;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;

/**
 * Opens connections, but only while calls wait for them. The addresses of a target are tried one after the other, each until the connect
 * timeout. Once no call waits for the target, because its deadline has passed or its attempt was stopped, no further address is tried.
 *
 * <p>Threading: safe.
 */
final class CallTransport extends HttpClientTransportOverHTTP {

  CallTransport(ClientConnector connector) {
    super(connector);
    setInvocationType(InvocationType.NON_BLOCKING); // our listeners never block
  }

  /** The calls to one target that wait for a connection. */
  private static final class Queue extends HttpDestination {
    Queue(HttpClient client, Origin origin) {
      super(client, origin);
    }

    /**
     * A connection could not be opened. Calls for which another one is being opened keep waiting, because it may be trying an address that this one
     * never tried.
     */
    @Override
    public void failed(Throwable why) {
      List<HttpExchange> waiting = List.copyOf(getHttpExchanges());
      int alone = Math.max(0, waiting.size() - opening(this));
      waiting.subList(0, alone).forEach(exchange -> {
        var unused = exchange.getRequest().abort(why);
      });
    }
  }

  @Override
  public Destination newDestination(Origin origin) {
    return new Queue(getHttpClient(), origin);
  }

  @Override
  public void connect(SocketAddress address, Map<String, Object> context) {
    if (context.get(Destination.CONTEXT_KEY) instanceof Queue queue
        && queue.getQueuedRequestCount() == 0
        && context.get(Connection.PROMISE_CONTEXT_KEY) instanceof Promise<?> promise) {
      promise.failed(new ConnectException("no call waits for this connection"));
      return;
    }
    super.connect(address, context);
  }

  /** The number of connections to this target that are being opened. */
  static int opening(Destination destination) {
    return destination instanceof HttpDestination known
            && known.getConnectionPool() instanceof AbstractConnectionPool pool
        ? pool.getPendingConnectionCount()
        : 0;
  }
}
