package io.belfry.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Addresses of the servers, and how to call them. Every method returns new settings and leaves these unchanged.
 *
 * <p>Threading: immutable.
 */
public final class ClientSettings {
  private static final int TRIES_MAX = 100;

  private List<URI> urls;
  private Optional<String> token = Optional.empty();
  private String namespace = "default";
  private Duration connectTimeout = Duration.ofSeconds(5);
  private Duration answerTimeout = Duration.ofSeconds(30);
  private Duration silence = Duration.ofSeconds(45);
  private int tries = 4;
  private Duration backOff = Duration.ofMillis(200);
  private Duration backOffMax = Duration.ofSeconds(5);
  private Optional<Path> authority = Optional.empty();
  private RandomGenerator random = RandomGenerator.getDefault();

  private ClientSettings(List<URI> urls) {
    this.urls = urls;
  }

  /** Settings for one server, or for several servers of a cluster: if one cannot be reached, the client calls the next one. */
  public static ClientSettings at(String... urls) {
    return at(List.of(urls));
  }

  /** Likewise, from a list. */
  public static ClientSettings at(List<String> urls) {
    if (urls.isEmpty()) {
      throw new IllegalArgumentException("At least one server address is required.");
    }
    return new ClientSettings(urls.stream().map(ClientSettings::base).toList());
  }

  private static URI base(String text) {
    String plain = text.strip();
    while (plain.endsWith("/")) {
      plain = plain.substring(0, plain.length() - 1);
    }
    try {
      var uri = new URI(plain);
      boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (web
          && uri.getHost() != null
          && uri.getRawQuery() == null
          && uri.getRawUserInfo() == null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      throw refusal(text, e);
    }
    throw refusal(text, null);
  }

  private static IllegalArgumentException refusal(String text, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "The server address must look like http://127.0.0.1:8080 or https://belfry.example.org, but was '"
            + text + "'.",
        cause);
  }

  private ClientSettings with(Consumer<ClientSettings> change) {
    var copy = new ClientSettings(urls);
    copy.token = token;
    copy.namespace = namespace;
    copy.connectTimeout = connectTimeout;
    copy.answerTimeout = answerTimeout;
    copy.silence = silence;
    copy.tries = tries;
    copy.backOff = backOff;
    copy.backOffMax = backOffMax;
    copy.authority = authority;
    copy.random = random;
    change.accept(copy);
    return copy;
  }

  /** API token of the caller. Without a token only anonymous routes work. */
  public ClientSettings token(String to) {
    String plain = to.strip();
    if (plain.isEmpty() || plain.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw new IllegalArgumentException(
          "A token must consist of visible ASCII characters without spaces, but the given one does not. Copy it again.");
    }
    return with(s -> s.token = Optional.of(plain));
  }

  /** Namespace to work in. Default {@code default}. */
  public ClientSettings namespace(String to) {
    return with(s -> s.namespace = to);
  }

  /** Timeout for connecting to a server. Default 5 s. */
  public ClientSettings connectTimeout(Duration to) {
    return with(s -> s.connectTimeout = positive("connectTimeout", to));
  }

  /** Timeout for a complete response. Default 30 s. */
  public ClientSettings answerTimeout(Duration to) {
    return with(s -> s.answerTimeout = positive("answerTimeout", to));
  }

  /** Idle timeout of event streams, after which the client reconnects. The server sends a heartbeat every 15 s. Default 45 s. */
  public ClientSettings silence(Duration to) {
    return with(s -> s.silence = positive("silence", to));
  }

  /** Maximum number of tries of an idempotent call. Default 4. */
  public ClientSettings tries(int to) {
    if (to < 1 || to > TRIES_MAX) {
      throw new IllegalArgumentException(
          "tries must be 1 to " + TRIES_MAX + ", but was " + to + ".");
    }
    return with(s -> s.tries = to);
  }

  /** Backoff before the second try; it doubles with each try up to the maximum. Default 200 ms, 5 s. */
  public ClientSettings backOff(Duration first, Duration max) {
    return with(s -> {
      s.backOff = positive("backOff", first);
      s.backOffMax = positive("backOff maximum", max);
    });
  }

  /** PEM file with the CA certificates to trust. Default: the CAs of the Java runtime. */
  public ClientSettings authority(Path pem) {
    return with(s -> s.authority = Optional.of(pem));
  }

  /** Source of jitter for the backoff, so that many clients do not retry at the same moment. */
  public ClientSettings random(RandomGenerator to) {
    return with(s -> s.random = to);
  }

  private static Duration positive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " must be positive, but was " + value + ".");
    }
    return value;
  }

  public List<URI> urls() {
    return new ArrayList<>(urls);
  }

  Optional<String> token() {
    return token;
  }

  public String namespace() {
    return namespace;
  }

  Duration connectTimeout() {
    return connectTimeout;
  }

  Duration answerTimeout() {
    return answerTimeout;
  }

  Duration silence() {
    return silence;
  }

  int tries() {
    return tries;
  }

  /** The backoff after this number of consecutive failures, from 1. */
  Duration waitAfter(int failures) {
    long max = backOffMax.toMillis();
    long plain = Math.min(max, backOff.toMillis() << Math.min(20, failures - 1));
    return Duration.ofMillis(plain / 2 + random.nextLong(plain / 2 + 1));
  }

  Optional<Path> authority() {
    return authority;
  }

  /** Without the token. */
  @Override
  public String toString() {
    return "ClientSettings[urls=" + urls + ", namespace=" + namespace
        + (token.isPresent() ? ", with a token]" : ", without a token]");
  }
}
