package io.belfry.server.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request as its connection sees it, for those who answer it. It is an attribute of the request.
 *
 * <p>Threading: safe.
 */
public final class Exchange {
  private static final String ATTRIBUTE = Exchange.class.getName();

  private final Connections connections;
  private final Client client;
  private final RequestBody body;
  private final List<Runnable> after = new ArrayList<>();
  private boolean done;

  Exchange(Connections connections, Client client, RequestBody body) {
    this.connections = connections;
    this.client = client;
    this.body = body;
  }

  static String attribute() {
    return ATTRIBUTE;
  }

  /**
   * That of a request; empty on a connection that has no limits.
   *
   * @param attributes of the request, by name
   */
  public static Optional<Exchange> of(Function<String, ? extends @Nullable Object> attributes) {
    return attributes.apply(ATTRIBUTE) instanceof Exchange exchange
        ? Optional.of(exchange)
        : Optional.empty();
  }

  /** Whether the connection has a place of the reserve, on which only health checks are answered. */
  public boolean isReserved() {
    return client.isReserved();
  }

  /** From now on the body is read only to be thrown away: the connection may be evicted before others, and the body fails after so long. */
  public void discards(Duration patience) {
    body.discardUntil(connections.now() + patience.toNanos());
  }

  /** Runs something once the last byte of the answer was handed to the network, or the connection is gone; at once if that is so already. */
  public void afterwards(Runnable what) {
    synchronized (this) {
      if (!done) {
        after.add(what);
        return;
      }
    }
    what.run();
  }

  /** The request is complete, whatever came of it. */
  void completed() {
    List<Runnable> all;
    synchronized (this) {
      done = true;
      all = List.copyOf(after);
      after.clear();
    }
    all.forEach(Runnable::run);
    connections.completed(client, body);
  }
}
