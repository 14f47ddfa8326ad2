package io.belfry.server.config;

import io.belfry.model.Check;
import io.belfry.server.connection.ConnectionLimits;
import java.time.Duration;
import java.util.List;

/** Settings of client connections, a part of {@link SettingsCatalog}. Threading: immutable. */
public final class ConnectionSettings {
  private static final int CONNECTIONS_MAX = 1_000_000;
  private static final Duration IDLE_MIN = Duration.ofSeconds(20);
  private static final long RATE_MAX = 1L << 30;
  private static final long ANSWERS_MIN = 16L << 20;
  private static final long ANSWERS_MAX = 1L << 40;

  private ConnectionSettings() {}

  public static final Setting<Integer> CONNECTIONS = Setting.of(
      "limit.connections",
      Kind.NUMBER,
      5_000,
      "Maximum number of open client connections. A new one evicts the one that has waited longest for its client. Lowered if the process may open fewer files (ulimit -n).");
  public static final Setting<Integer> PER_ADDRESS = Setting.of(
      "limit.connectionsPerAddress",
      Kind.NUMBER,
      1_000,
      "Maximum number of open connections from one client address, or from one /64 network of IPv6. Raise it if all clients connect through one proxy.");
  public static final Setting<Integer> RESERVED = Setting.of(
      "limit.reservedConnections",
      Kind.NUMBER,
      64,
      "Additional connections, beyond limit.connections, on which only /healthz and /readyz are answered. They are used while every other connection has a running request.");
  public static final Setting<Duration> IDLE = Setting.of(
      "limit.idleTimeout",
      Kind.DURATION,
      Duration.ofSeconds(60),
      "Timeout of an idle connection, with no byte in either direction.");
  public static final Setting<Duration> HEAD = Setting.of(
      "limit.headTimeout",
      Kind.DURATION,
      Duration.ofSeconds(10),
      "Time limit for sending the request line and headers, including the TLS handshake of a new connection. Slower connections are closed.");
  public static final Setting<Duration> BODY = Setting.of(
      "limit.bodyTimeout",
      Kind.DURATION,
      Duration.ofSeconds(60),
      "Time limit for sending a request body. Slower requests are answered 408, and the connection is closed.");
  public static final Setting<Long> BODY_RATE = Setting.of(
      "limit.bodyRate",
      Kind.SIZE,
      1L << 10,
      "Minimum rate at which a client must send a request body, in bytes per second, measured after five seconds of waiting. Slower requests are answered 408, and the connection is closed.");
  public static final Setting<Long> ANSWER_RATE = Setting.of(
      "limit.answerRate",
      Kind.SIZE,
      1L << 10,
      "Minimum rate at which a client must read a response or event stream, in bytes per second, measured after a write has been blocked for five seconds. Slower connections are closed.");

  public static final Setting<Duration> ANSWER = Setting.of(
      "limit.answerTimeout",
      Kind.DURATION,
      Duration.ofSeconds(60),
      "How long a client may take to read an answer of the API, other than an event stream. Slower ones are closed, and the memory of the answer is free again.");
  public static final Setting<Long> ANSWERS = Setting.unset(
      "limit.answers",
      Kind.SIZE,
      "Memory for answers that are being built or read by their clients; one token may hold a quarter of it, or 8 MiB. More are answered 503, or 429. Unset: an eighth of the heap, at least 16 MiB.");

  static final List<Setting<?>> ALL = List.of(
      CONNECTIONS,
      PER_ADDRESS,
      RESERVED,
      IDLE,
      HEAD,
      BODY,
      BODY_RATE,
      ANSWER,
      ANSWER_RATE,
      ANSWERS);

  /** The configured limits. */
  public static ConnectionLimits limits(Config config) {
    return new ConnectionLimits(
        config.get(CONNECTIONS),
        config.get(PER_ADDRESS),
        config.get(RESERVED),
        config.get(IDLE),
        config.get(HEAD),
        config.get(BODY),
        config.get(ANSWER),
        config.get(BODY_RATE),
        config.get(ANSWER_RATE));
  }

  /** Adds a problem for each invalid value. */
  public static void check(Config config, Problems problems) {
    for (Setting<Integer> each : List.of(CONNECTIONS, PER_ADDRESS, RESERVED)) {
      problems.trying(() -> Check.between(
          each.key(),
          config.get(each),
          1,
          CONNECTIONS_MAX,
          "clients must be able to connect, and each connection uses memory"));
    }
    for (Setting<Duration> each : List.of(HEAD, BODY, ANSWER)) {
      problems.trying(() -> Check.between(
          each.key(),
          config.get(each),
          Duration.ofSeconds(1),
          Duration.ofHours(1),
          "a slow network needs some time, and a slow client must not hold a connection forever"));
    }
    problems.trying(
        () -> Check.between(
            IDLE.key(),
            config.get(IDLE),
            IDLE_MIN,
            Duration.ofHours(1),
            "event streams send a heartbeat every 15 s, and unused connections must be closed eventually"));
    config
        .find(ANSWERS)
        .ifPresent(bytes -> problems.trying(() -> Check.that(
            bytes >= ANSWERS_MIN && bytes <= ANSWERS_MAX,
            ANSWERS.key(),
            bytes,
            "must lie between 16MiB and 1TiB, because the largest answers must fit into it twice",
            "Leave it out for an eighth of the heap.")));
    for (Setting<Long> each : List.of(BODY_RATE, ANSWER_RATE)) {
      long rate = config.get(each);
      problems.trying(() -> Check.that(
          rate >= 1 && rate <= RATE_MAX,
          each.key(),
          rate,
          "must be between 1 and 1GiB, because a client that sends or reads nothing must not hold a connection forever",
          "Leave it out for 1KiB."));
    }
  }
}
