package io.belfry.executors.http;

import io.belfry.model.Check;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What all calls of a process have in common. There is no limit of connections: a call that waited for one inside the worker would use up its
 * timeout before it began. The worker's capacity bounds the calls, and the leader does not give a worker more; a {@code limit} of the job
 * does the same for one target.
 *
 * @param trust a PEM file of authorities to be trusted beside those of the Java platform
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
        "a target that is away must be noticed");
    Check.between("http.idle", idle, SHORTEST, LONGEST, "an unused connection is a socket");
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
