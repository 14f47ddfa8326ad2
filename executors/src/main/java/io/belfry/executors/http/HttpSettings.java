package io.belfry.executors.http;

import io.belfry.model.Check;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What all calls of a process have in common.
 *
 * @param trust a PEM file of authorities to be trusted beside those of the Java platform
 * @param connectTimeout for each address
 * @param connectionsPerTarget open at a time to one host and port; further calls wait for one, with their timeout running
 * @param idle how long an unused connection is kept
 */
public record HttpSettings(
    Optional<Path> trust, Duration connectTimeout, int connectionsPerTarget, Duration idle) {
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final int CONNECTIONS_MAX = 10_000;

  public HttpSettings {
    Check.between(
        "http.connectTimeout",
        connectTimeout,
        SHORTEST,
        LONGEST,
        "a target that is away must be noticed");
    Check.between(
        "http.connectionsPerTarget", connectionsPerTarget, 1, CONNECTIONS_MAX, "each is a socket");
    Check.between("http.idle", idle, SHORTEST, LONGEST, "an unused connection is a socket");
  }

  /**
   * Without a limit of connections that a worker could reach: its capacity bounds the calls. A call that waited for a connection would use
   * up its timeout before it began.
   */
  public static HttpSettings defaults() {
    return new HttpSettings(
        Optional.empty(), Duration.ofSeconds(10), CONNECTIONS_MAX, Duration.ofSeconds(15));
  }

  public HttpSettings withTrust(Path pem) {
    return new HttpSettings(Optional.of(pem), connectTimeout, connectionsPerTarget, idle);
  }

  public HttpSettings withConnectTimeout(Duration timeout) {
    return new HttpSettings(trust, timeout, connectionsPerTarget, idle);
  }

  public HttpSettings withConnectionsPerTarget(int connections) {
    return new HttpSettings(trust, connectTimeout, connections, idle);
  }

  public HttpSettings withIdle(Duration kept) {
    return new HttpSettings(trust, connectTimeout, connectionsPerTarget, kept);
  }
}
