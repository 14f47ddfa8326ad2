package io.belfry.server.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Connection details of one request, for its handler. It is an attribute of the request.
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
   * The exchange of a request; empty on a connection without limits.
   *
   * @param attributes attributes of the request, by name
   */
  public static Optional<Exchange> of(Function<String, ? extends @Nullable Object> attributes) {
    return attributes.apply(ATTRIBUTE) instanceof Exchange exchange
        ? Optional.of(exchange)
        : Optional.empty();
  }

  /** Whether the connection is reserved for health checks. */
  public boolean isReserved() {
    return client.isReserved();
  }

  /** Discards the rest of the body: the connection is evicted before others, and the body fails after the patience. */
  public void discards(Duration patience) {
    body.discardUntil(connections.now() + patience.toNanos());
  }

  /** The answer is ready, and has an end: from now on the client has {@code limit.answerTimeout} to read it. */
  public void answers() {
    client.answers(body, connections.now());
  }

  /** Runs a step when the last byte of the response was handed to the network or the connection is closed; at once if it already is. */
  public void afterwards(Runnable what) {
    synchronized (this) {
      if (!done) {
        after.add(what);
        return;
      }
    }
    what.run();
  }

  /** The request has completed, successfully or not. */
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
