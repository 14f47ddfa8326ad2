package io.belfry.server.config;

import io.belfry.model.Check;
import io.belfry.server.connection.ConnectionLimits;
import java.time.Duration;
import java.util.List;

/** The keys of connections that clients open, by which {@link Catalogue} goes on. Threading: immutable. */
public final class ConnectionCatalogue {
  private static final int CONNECTIONS_MAX = 1_000_000;
  private static final Duration IDLE_MIN = Duration.ofSeconds(20);
  private static final long RATE_MAX = 1L << 30;

  private ConnectionCatalogue() {}

  public static final Setting<Integer> CONNECTIONS = Setting.of(
      "limit.connections",
      Kind.NUMBER,
      5_000,
      "Connections that clients may have open at once. A new one evicts the one that has waited longest for its client. Lowered if the process may open fewer files (ulimit -n).");
  public static final Setting<Integer> PER_ADDRESS = Setting.of(
      "limit.connectionsPerAddress",
      Kind.NUMBER,
      1_000,
      "The same for one client address, or for one /64 network of IPv6. Raise it if all clients come through one proxy.");
  public static final Setting<Integer> RESERVED = Setting.of(
      "limit.reservedConnections",
      Kind.NUMBER,
      64,
      "Connections beyond limit.connections on which only /healthz and /readyz are answered, used when every other connection has a running request.");
  public static final Setting<Duration> IDLE = Setting.of(
      "limit.idleTimeout",
      Kind.DURATION,
      Duration.ofSeconds(60),
      "How long a connection may stay open without a byte in either direction.");
  public static final Setting<Duration> HEAD = Setting.of(
      "limit.headTimeout",
      Kind.DURATION,
      Duration.ofSeconds(10),
      "How long a client may take to send the request line and headers, including the TLS handshake of a new connection. Slower ones are closed.");
  public static final Setting<Duration> BODY = Setting.of(
      "limit.bodyTimeout",
      Kind.DURATION,
      Duration.ofSeconds(60),
      "How long a client may take to send the body of a request. Slower ones are answered 408 and closed.");
  public static final Setting<Long> BODY_RATE = Setting.of(
      "limit.bodyRate",
      Kind.SIZE,
      1L << 10,
      "Bytes per second that a client must send of a body, measured after five seconds of waiting. Slower ones are answered 408 and closed.");
  public static final Setting<Long> ANSWER_RATE = Setting.of(
      "limit.answerRate",
      Kind.SIZE,
      1L << 10,
      "Bytes per second that a client must read of an answer or event stream, measured after a write has been blocked for five seconds. Slower ones are closed.");

  static final List<Setting<?>> ALL =
      List.of(CONNECTIONS, PER_ADDRESS, RESERVED, IDLE, HEAD, BODY, BODY_RATE, ANSWER_RATE);

  /** What is configured. */
  public static ConnectionLimits limits(Config config) {
    return new ConnectionLimits(
        config.get(CONNECTIONS),
        config.get(PER_ADDRESS),
        config.get(RESERVED),
        config.get(IDLE),
        config.get(HEAD),
        config.get(BODY),
        config.get(BODY_RATE),
        config.get(ANSWER_RATE));
  }

  /** Tells all that cannot be. */
  public static void check(Config config, Problems problems) {
    for (Setting<Integer> each : List.of(CONNECTIONS, PER_ADDRESS, RESERVED)) {
      problems.trying(() -> Check.between(
          each.key(),
          config.get(each),
          1,
          CONNECTIONS_MAX,
          "clients must be able to connect, and each connection takes memory"));
    }
    for (Setting<Duration> each : List.of(HEAD, BODY)) {
      problems.trying(() -> Check.between(
          each.key(),
          config.get(each),
          Duration.ofSeconds(1),
          Duration.ofHours(1),
          "a slow network needs some time, and a slow client must not hold a connection for ever"));
    }
    problems.trying(
        () -> Check.between(
            IDLE.key(),
            config.get(IDLE),
            IDLE_MIN,
            Duration.ofHours(1),
            "event streams send a heartbeat every 15 s, and unused connections must be closed some day"));
    for (Setting<Long> each : List.of(BODY_RATE, ANSWER_RATE)) {
      long rate = config.get(each);
      problems.trying(() -> Check.that(
          rate >= 1 && rate <= RATE_MAX,
          each.key(),
          rate,
          "must lie between 1 and 1GiB, because a client that sends or reads nothing must not hold a connection for ever",
          "Leave it out for 1KiB."));
    }
  }
}
