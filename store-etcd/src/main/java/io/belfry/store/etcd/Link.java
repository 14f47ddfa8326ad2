package io.belfry.store.etcd;

import io.belfry.model.time.Time;
import io.belfry.store.Endpoint;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The connection to one member at a time. Whoever finds the line bad leaves it, and everybody goes on with the next
 * member; a line is never mended, because gRPC waits ever longer before it tries a lost address again.
 *
 * <p>Threading: safe.
 */
final class Link implements AutoCloseable {
  /** A connection to a member; replaced as a whole, compared by identity. */
  static final class Line {
    private final Endpoint endpoint;
    private final ManagedChannel channel;

    private Line(Endpoint endpoint, ManagedChannel channel) {
      this.endpoint = endpoint;
      this.channel = channel;
    }

    ManagedChannel channel() {
      return channel;
    }

    String member() {
      return endpoint.toString();
    }

    /** Whether there is a connection now, as far as this end knows. */
    boolean isConnected() {
      return channel.getState(false) == ConnectivityState.READY;
    }
  }

  private final List<Endpoint> endpoints;
  private final Function<Endpoint, ManagedChannel> dial;
  private final List<Line> fading = new ArrayList<>();
  private int next;
  private Line line;
  private long replaced;
  private boolean closed;

  Link(List<Endpoint> endpoints, Function<Endpoint, ManagedChannel> dial) {
    this.endpoints = endpoints;
    this.dial = dial;
    this.line = new Line(endpoints.getFirst(), dial.apply(endpoints.getFirst()));
  }

  int members() {
    return endpoints.size();
  }

  synchronized Line line() {
    return line;
  }

  /** For a line that is dead: what is under way on it fails now instead of at its deadline. */
  void cut(Line bad) {
    if (replace(bad)) {
      bad.channel.shutdownNow();
    }
  }

  /** For a member that answers but cannot serve: what is under way may still be answered. */
  void leave(Line bad) {
    if (members() > 1 && replace(bad)) {
      bad.channel.shutdown();
    }
  }

  private synchronized boolean replace(Line bad) {
    if (closed || bad != line) {
      return false;
    }
    next = (next + 1) % endpoints.size();
    fading.removeIf(old -> old.channel.isTerminated());
    fading.add(bad);
    line = new Line(endpoints.get(next), dial.apply(endpoints.get(next)));
    replaced++;
    return true;
  }

  /** How often a line was given up for another. */
  synchronized long replaced() {
    return replaced;
  }

  /** Breaks everything that is under way. */
  @Override
  public void close() {
    for (Line each : all()) {
      each.channel.shutdownNow();
    }
  }

  /** Returns once all connections are gone, or at that instant on the stopwatch. */
  void awaitClosed(Time time, long end) throws InterruptedException {
    for (Line each : all()) {
      boolean unused =
          each.channel.awaitTermination(Math.max(0, end - time.nanos()), TimeUnit.NANOSECONDS);
    }
  }

  private synchronized List<Line> all() {
    closed = true;
    var lines = new ArrayList<>(fading);
    lines.add(line);
    return lines;
  }
}
