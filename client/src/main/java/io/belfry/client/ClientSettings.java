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
 * Where the servers are, and how to speak to them. Every method returns new settings and leaves these as they are.
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

  /** Of one server, or of several of one cluster: the next one is asked when one cannot be reached. */
  public static ClientSettings at(String... urls) {
    return at(List.of(urls));
  }

  /** The same, from a list. */
  public static ClientSettings at(List<String> urls) {
    if (urls.isEmpty()) {
      throw new IllegalArgumentException("At least one address of a server is needed.");
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
        "The address of a server must look like http://127.0.0.1:8080 or https://belfry.example.org, but was '"
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

  /** What the server knows the caller by. Without one only the anonymous routes answer. */
  public ClientSettings token(String to) {
    String plain = to.strip();
    if (plain.isEmpty() || plain.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw new IllegalArgumentException(
          "A token is one word of visible ASCII characters, but something else was given. Copy it once more.");
    }
    return with(s -> s.token = Optional.of(plain));
  }

  /** Default {@code default}. */
  public ClientSettings namespace(String to) {
    return with(s -> s.namespace = to);
  }

  /** How long a server may take to be reached before the next one is tried. Default 5 s. */
  public ClientSettings connectTimeout(Duration to) {
    return with(s -> s.connectTimeout = positive("connectTimeout", to));
  }

  /** How long a whole answer may take. Default 30 s. */
  public ClientSettings answerTimeout(Duration to) {
    return with(s -> s.answerTimeout = positive("answerTimeout", to));
  }

  /** How long a stream of events may be silent before it is taken for broken; the server beats every 15 s. Default 45 s. */
  public ClientSettings silence(Duration to) {
    return with(s -> s.silence = positive("silence", to));
  }

  /** How often a call that may be repeated is tried at most. Default 4. */
  public ClientSettings tries(int to) {
    if (to < 1 || to > TRIES_MAX) {
      throw new IllegalArgumentException(
          "tries must be 1 to " + TRIES_MAX + ", but was " + to + ".");
    }
    return with(s -> s.tries = to);
  }

  /** The wait before the second try, which doubles from try to try up to a maximum. Default 200 ms, 5 s. */
  public ClientSettings backOff(Duration first, Duration max) {
    return with(s -> {
      s.backOff = positive("backOff", first);
      s.backOffMax = positive("backOff maximum", max);
    });
  }

  /** A PEM file with the certificates of the authorities to be trusted, instead of those that Java knows. */
  public ClientSettings authority(Path pem) {
    return with(s -> s.authority = Optional.of(pem));
  }

  /** Spreads the waits, so that many clients do not come back at one moment. */
  public ClientSettings random(RandomGenerator to) {
    return with(s -> s.random = to);
  }

  private static Duration positive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(
          name + " must be longer than nothing, but was " + value + ".");
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

  /** The wait after so many failures in a row, from 1. */
  Duration waitAfter(int failures) {
    long most = backOffMax.toMillis();
    long plain = Math.min(most, backOff.toMillis() << Math.min(20, failures - 1));
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
