package io.belfry.executors.http;

import io.belfry.model.Check;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * HTTP settings of the process. The number of connections has no limit of its own: a call that waited for a connection inside the worker
 * would use up its timeout. The worker's capacity bounds the calls. To bound the calls to one target, use a {@code limit} of the job.
 *
 * @param trust a PEM file with CA certificates to trust in addition to those of the Java platform
 * @param connectTimeout for each address
 * @param idle how long an unused connection is kept
 */
public record HttpSettings(Optional<Path> trust, Duration connectTimeout, Duration idle) {
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  public HttpSettings {
    Check.between(
        "http.connectTimeout",
        connectTimeout,
        SHORTEST,
        LONGEST,
        "an unreachable target must be detected");
    Check.between(
        "http.idle", idle, SHORTEST, LONGEST, "an unused connection still occupies a socket");
  }

  public static HttpSettings defaults() {
    return new HttpSettings(Optional.empty(), Duration.ofSeconds(10), Duration.ofSeconds(15));
  }

  public HttpSettings withTrust(Path pem) {
    return new HttpSettings(Optional.of(pem), connectTimeout, idle);
  }

  public HttpSettings withConnectTimeout(Duration timeout) {
    return new HttpSettings(trust, timeout, idle);
  }

  public HttpSettings withIdle(Duration kept) {
    return new HttpSettings(trust, connectTimeout, kept);
  }
}
